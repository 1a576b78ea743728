package verwalter.render.engine.legacy;

import verwalter.render.recipe.GoldenRenderings;

class GoldenTest extends GoldenRenderings {}
