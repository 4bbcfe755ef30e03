export { changeWishes, getWishes } from "./wishes.ts";
