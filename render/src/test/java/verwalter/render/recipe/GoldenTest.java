package verwalter.render.recipe;

class GoldenTest extends GoldenRenderings {}
