/** @jsxRuntime automatic @jsxImportSource preact */
import { useMemo } from "preact/hooks";
import { encodeQR } from "qr";

/** Light modules around the code, which readers need. */
const QUIET = 4;

/** An address as a square that telephones read. It is dark on light in both schemes: many readers see nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => draw(text), [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

function draw(text: string): { path: string; size: number } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET });
  const path = rows
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""))
    .join("");
  return { path, size: rows.length };
}
