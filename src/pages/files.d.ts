// Files that the bundler imports as text.
declare module "*.svg" {
  const text: string;
  export default text;
}
