/** @jsxRuntime automatic @jsxImportSource preact */
export function Links(_: Record<string, unknown>) {
  return <p class="soft">Soon.</p>;
}
