import { registerHooks } from "node:module";

// openapi-typescript needs the classic JavaScript API of the compiler, which TypeScript 7 lacks, so it gets its own
// compiler: the newest it supports. The hook and the package `typescript-5` can go once it ships its own.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/") ? "typescript-5" : specifier,
      context,
    ),
});

/**
 * Returns the TypeScript types of an OpenAPI 3.1 description: `paths`, `components`, `operations`, for openapi-fetch.
 */
export async function typesOf(description: object): Promise<string> {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  // A request field with a default is optional. In responses such a field is listed as required anyway.
  const types = await openapiTS(JSON.parse(JSON.stringify(description)), { defaultNonNullable: false });
  return astToString(types);
}
