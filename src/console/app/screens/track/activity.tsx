/** @jsxRuntime automatic @jsxImportSource preact */
export function Activity(_: Record<string, unknown>) {
  return <p class="soft">Soon.</p>;
}
