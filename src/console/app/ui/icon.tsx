/** @jsxRuntime automatic @jsxImportSource preact */

/** Outlines on a square of 24, drawn with a line of 1.75; the names in FILLED are areas. */
const PATHS = {
  library: "M4 5v14M9 5v14M14.2 5.4l4.3 13.1",
  search: "M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM15.5 15.5l4.5 4.5",
  albums: "M4.5 4.5h15v15h-15zM12 7.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM12 12h.01",
  playlists: "M4 6h12M4 11h12M4 16h7M16.8 18.7a2 2 0 1 1-2-2 2 2 0 0 1 2 2zM16.8 18.7V12l3.2 1",
  links:
    "M10 13.5a3.8 3.8 0 0 0 5.5.3l3-3a3.9 3.9 0 0 0-5.5-5.5l-1.2 1.2M14 10.5a3.8 3.8 0 0 0-5.5-.3l-3 3a3.9 3.9 0 0 0 5.5 5.5l1.2-1.2",
  pocket: "M5 5h14v7.5a7 7 0 0 1-14 0zM8.5 9.5 12 13l3.5-3.5",
  uploads: "M12 16V5M7.5 9.2 12 4.7l4.5 4.5M5 19h14",
  briefs: "M6 4.5h9l3 3v12H6zM9 10.5h6M9 13.5h6M9 16.5h4",
  inbox: "M4.5 13.5 7 5.5h10l2.5 8v5h-15zM4.5 13.5H9a3 3 0 0 0 6 0h4.5",
  composers:
    "M9 6a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 0 0 9 6zM3.8 18.5c.5-2.8 2.6-4.3 5.2-4.3s4.7 1.5 5.2 4.3M15.5 6.3a2.7 2.7 0 0 1 0 5M16.5 14.4c2 .4 3.300 1.900 3.700 4.100",
  insights: "M4.5 19.5h15M7 16v-4M12 16V6M17 16V9.5",
  bell: "M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5M4.5 16.5h15M10 19.5h4M12 5.5V4",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  more: "M5.4 12h.2M11.9 12h.2M18.4 12h.2",
  account: "M12 4.5a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM5 19.5c.7-3.3 3.5-5 7-5s6.3 1.7 7 5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  up: "M7 14l5-5 5 5",
  down: "M7 10l5 5 5-5",
  left: "M14 7l-5 5 5 5",
  add: "M12 5v14M5 12h14",
  "more-like": "M4 13.5h4l2-7 3.5 11 2-4H20M17.5 4v5M15 6.5h5",
  "less-like": "M4 13.5h4l2-7 3.5 11 2-4H20M15 6.5h5",
  share: "M12 14.5V4.5M8.3 8 12 4.3 15.7 8M6 12v7h12v-7",
  columns: "M4.5 5.5h15v13h-15zM9.5 5.5v13M14.5 5.5v13",
  move: "M7.5 9.5h9M7.5 14.5h9M12 3.5v3M9.8 5.7 12 3.5l2.2 2.2M12 20.5v-3M9.8 18.3l2.2 2.2 2.2-2.2",
  filter: "M4 6.5h16M7 12h10M10 17.5h4",
  queue: "M4 6h16M4 11h16M4 16h9M17 14.5v5M14.5 17h5",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.3 10.5v5.5M13.7 10.5v5.5",
  edit: "M5 19l.8-3.5L16 5.3l2.7 2.7L8.5 18.2z",
  tag: "M4.5 11.3V5h6.3l8.7 8.7-6.2 6.2zM8 8.5h.01",
  hide: "M4 4l16 16M9.7 5.6A9.5 9.5 0 0 1 12 5.3c4.5 0 7.5 3.7 8.5 6.7a12 12 0 0 1-2.5 3.9M6.6 7.3A11.7 11.7 0 0 0 3.5 12c1 3 4 6.7 8.5 6.7a8.6 8.6 0 0 0 4.4-1.2",
  show: "M3.5 12c1-3 4-6.7 8.5-6.7s7.5 3.7 8.5 6.7c-1 3-4 6.7-8.5 6.7S4.5 15 3.5 12zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  download: "M12 4.5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  refresh: "M19 12a7 7 0 1 1-2.3-5.2M19.3 4v4h-4",
  copy: "M8.5 8.5V5h10.5v10.5h-3.5M5 8.5h10.5V19H5z",
  match: "M4 14v-4M8 17V7M12 14.5v-5M16 18V6M20 14v-4",
  comment: "M4.5 5.5h15v10.5H11L7 19.5V16H4.5z",
  zoomIn: "M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM15.5 15.5l4.5 4.5M8.3 10.8h5M10.8 8.3v5",
  zoomOut: "M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM15.5 15.5l4.5 4.5M8.3 10.8h5",
  whole: "M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15",
  loop: "M7 7.5h8.5a4 4 0 0 1 0 8H15M17 16.5H8.5a4 4 0 0 1 0-8M9.5 5 7 7.5 9.5 10",
  swap: "M5 9h13M15 5.7 18.3 9 15 12.3M19 15H6M9 11.7 5.7 15 9 18.3",
  settings:
    "M4 7.5h8M16.5 7.5H20M4 16.5h3.5M12 16.5h8M14.2 5.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM9.8 14.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
  key: "M4.5 6.5h15v11h-15zM8 14.5h8M8 10.5h.01M12 10.5h.01M16 10.5h.01",
} as const;

const FILLED = {
  play: "M7 4.8v14.4a.8.8 0 0 0 1.2.7l11.6-7.2a.8.8 0 0 0 0-1.4L8.2 4.1A.8.8 0 0 0 7 4.8z",
  pause: "M6.5 4.5h3.6v15H6.5zM13.9 4.5h3.6v15h-3.6z",
  previous: "M5.5 5h2.4v14H5.5zM19 5.6v12.8a.6.6 0 0 1-.9.5L8.6 12.5a.6.6 0 0 1 0-1L18.1 5a.6.6 0 0 1 .9.6z",
  next: "M16.1 5h2.4v14h-2.4zM5 5.6v12.8a.6.6 0 0 0 .9.5l9.5-6.4a.6.6 0 0 0 0-1L5.9 5a.6.6 0 0 0-.9.6z",
  sound:
    "M4 9.2v5.6h3.6l5 4.2V5l-5 4.2zM15.5 8.3a5 5 0 0 1 0 7.4l-1.2-1.4a3.2 3.2 0 0 0 0-4.6zM18 5.4a9 9 0 0 1 0 13.2l-1.2-1.4a7.2 7.2 0 0 0 0-10.4z",
  silent:
    "M4 9.2v5.6h3.6l5 4.2V5l-5 4.2zM15.2 9.9l1.3-1.3 2 2 2-2 1.3 1.3-2 2.1 2 2-1.3 1.3-2-2-2 2-1.3-1.3 2-2z",
  pin: "M9 4h6l-.8 6 2.8 2.5V14H7v-1.5L9.8 10zM11.2 14h1.6v6h-1.6z",
} as const;

export type IconName = keyof typeof PATHS | keyof typeof FILLED;

/** An icon beside words, or in a button that has a name. */
export function Icon({ name }: { name: IconName }) {
  const isFilled = name in FILLED;
  return (
    <svg class={isFilled ? "icon" : "icon icon-line"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={isFilled ? FILLED[name as keyof typeof FILLED] : PATHS[name as keyof typeof PATHS]} />
    </svg>
  );
}
