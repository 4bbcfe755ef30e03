/** @jsxRuntime automatic @jsxImportSource preact */
export function DetailsForm(_: Record<string, unknown>) {
  return <p class="soft">Soon.</p>;
}
