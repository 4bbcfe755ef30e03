export { getInsights } from "./insights.ts";
