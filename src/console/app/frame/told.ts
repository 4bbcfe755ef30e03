import { query } from "../api/queries.ts";

const SHOWN = 50;

/** The newest notifications, and how many of all are unread. */
export const notificationsQuery = () =>
  query("/app/notifications", { query: { limit: SHOWN } }, { notifications: "all" });
