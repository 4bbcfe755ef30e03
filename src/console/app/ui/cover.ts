export { Cover, CoverShapes } from "../../../pages/cover.tsx";
