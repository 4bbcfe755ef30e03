export { getInsights } from "./insights.ts";
export { getNews, noteVisit } from "./news.ts";
