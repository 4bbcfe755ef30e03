/** Imported `with { type: "file" }`: the module's path, inside a compiled binary too. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
