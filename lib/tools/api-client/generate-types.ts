import { registerHooks } from "node:module";

// openapi-typescript prints its types with the compiler's classic JavaScript API. TypeScript 7 has none, so it gets one of
// its own, the newest that it supports. The hook and the package `typescript-5` can go when it brings its own compiler.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/") ? "typescript-5" : specifier,
      context,
    ),
});

/** The TypeScript types of an OpenAPI 3.1 description: `paths`, `components`, `operations`, as openapi-fetch takes them. */
export async function typesOf(description: object): Promise<string> {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  // A body's field with a default may be left out; in answers such a field is among the required ones anyway.
  const types = await openapiTS(JSON.parse(JSON.stringify(description)), { defaultNonNullable: false });
  return astToString(types);
}
