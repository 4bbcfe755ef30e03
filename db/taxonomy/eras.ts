import { defineCategory } from "./define.ts";

/** Eras a track sounds like, oldest first; not the year it was made. */
export const ERAS = defineCategory("era", [
  { name: "Medieval", also: "middle ages, mediaeval" },
  { name: "Renaissance", also: "tudor, elizabethan" },
  { name: "Baroque", also: "baroque era, 17th century" },
  { name: "Classical Era", also: "classical period, 18th century, regency" },
  { name: "Romantic Era", also: "romantic period, 19th century, victorian" },
  { name: "1920s", also: "twenties, roaring twenties, jazz age, prohibition era" },
  { name: "1930s", also: "thirties, swing era, great depression" },
  { name: "1940s", also: "40s, forties, wartime" },
  { name: "1950s", also: "50s, fifties" },
  { name: "1960s", also: "60s, sixties, swinging sixties" },
  { name: "1970s", also: "70s, seventies" },
  { name: "1980s", also: "80s, eighties" },
  { name: "1990s", also: "90s, nineties" },
  { name: "2000s", also: "00s, noughties, y2k" },
  { name: "2010s", also: "twenty-tens" },
  { name: "2020s", also: "twenty-twenties, present day" },
]);
