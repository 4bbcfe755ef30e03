/** @jsxRuntime automatic @jsxImportSource preact */
/** Outlines on a square of 24. */
const PATHS = {
  play: "M7 4.8v14.4a.8.8 0 0 0 1.2.7l11.6-7.2a.8.8 0 0 0 0-1.4L8.2 4.1A.8.8 0 0 0 7 4.8z",
  pause: "M6.5 4.5h3.6v15H6.5zM13.9 4.5h3.6v15h-3.6z",
  previous: "M5.5 5h2.4v14H5.5zM19 5.6v12.8a.6.6 0 0 1-.9.5L8.6 12.5a.6.6 0 0 1 0-1L18.1 5a.6.6 0 0 1 .9.6z",
  next: "M16.1 5h2.4v14h-2.4zM5 5.6v12.8a.6.6 0 0 0 .9.5l9.5-6.4a.6.6 0 0 0 0-1L5.9 5a.6.6 0 0 0-.9.6z",
  sound:
    "M4 9.2v5.6h3.6l5 4.2V5L7.600 9.200zM15.500 8.300a5 5 0 0 1 0 7.400l-1.200-1.400a3.200 3.200 0 0 0 0-4.600zM18 5.400a9 9 0 0 1 0 13.200l-1.200-1.400a7.200 7.200 0 0 0 0-10.400z",
  silent:
    "M4 9.2v5.6h3.600l5 4.200V5l-5 4.200zM15.200 9.900l1.300-1.300 2 2 2-2 1.300 1.300-2 2.100 2 2-1.300 1.300-2-2-2 2-1.300-1.300 2-2z",
  download:
    "M11 4h2v8.600l3.300-3.300 1.400 1.400-5.700 5.700-5.700-5.700 1.400-1.400L11 12.600zM5 18h14v2H5z",
} as const;
export type IconName = keyof typeof PATHS;

/**
 * An icon beside words that say the same, or in place of them. A page that shows icons needs {@link IconShapes}
 * once.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The shapes of all icons. */
export function IconShapes() {
  return (
    <svg class="shapes" aria-hidden="true">
      {Object.entries(PATHS).map(([name, path]) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
          <path d={path} />
        </symbol>
      ))}
    </svg>
  );
}
