/** Imported `with { type: "file" }`: the file's path, also inside a compiled binary. */
declare module "*.bin" {
  const path: string;
  export default path;
}
