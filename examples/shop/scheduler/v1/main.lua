-- Operators place groups; the metadata of a version defines its update.
return {scheduler = require("verwalter/groups").make_scheduler()}
