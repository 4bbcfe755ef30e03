/** @jsxRuntime automatic @jsxImportSource preact */
export function Credits(_: Record<string, unknown>) {
  return <p class="soft">Soon.</p>;
}
