// Files that the bundler imports as text or as a path.
declare module "*.woff2" {
  const path: string;
  export default path;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
