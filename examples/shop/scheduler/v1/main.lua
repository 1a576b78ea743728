-- Operators say what runs where, group by group; how a version is replaced is in its metadata.
return {scheduler = require("verwalter/groups").make_scheduler()}
