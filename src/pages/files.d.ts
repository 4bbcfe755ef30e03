// Files that the bundler turns into their text.
declare module "*.svg" {
  const text: string;
  export default text;
}
