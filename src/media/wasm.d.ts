/** Imported `with { type: "file" }`: the module's path, also inside a compiled binary. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
