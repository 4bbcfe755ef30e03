export { brandOf, changeBrand, getBrand, readBrand, setLogo } from "./brand.ts";
export { accentCss, isSeen, readableAccents, readColour } from "./colour.ts";
