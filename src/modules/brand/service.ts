export { brandOf, changeBrand, getBrand, setLogo } from "./brand.ts";
export { accentCss, isSeen, readColour } from "./colour.ts";
