export { brandOf, changeBrand, getBrand, readBrand, setLogo } from "./brand.ts";
export { accentCss, isSeen, readColour } from "./colour.ts";
