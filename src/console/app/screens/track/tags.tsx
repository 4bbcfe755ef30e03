/** @jsxRuntime automatic @jsxImportSource preact */
export function Tags(_: Record<string, unknown>) {
  return <p class="soft">Soon.</p>;
}
