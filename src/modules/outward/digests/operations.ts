import { op } from "../../../http/operation.ts";
import { ChangeMailWishes, MailWishes } from "./shapes.ts";

/** Digests are loaded with the first request for one. */
const service = () => import("./service.ts");

const tag = "Notifications";

/** What a member hears of a library by mail. */
export const digestOperations = [
  op({
    at: "GET /mail-wishes",
    id: "getMailWishes",
    session: "member",
    rooms: true,
    isSecret: true,
    tag,
    summary: "Get what you hear of this library by mail",
    answer: MailWishes,
    refusals: [],
    run: async (deps, { actor }) => (await service()).getWishes(deps, actor),
  }),
  op({
    at: "PATCH /mail-wishes",
    id: "changeMailWishes",
    session: "member",
    rooms: true,
    isSecret: true,
    input: { body: ChangeMailWishes },
    tag,
    summary: "Change what you hear of this library by mail",
    description:
      "Off at first. What happens from then on comes together in one mail at the full hour, at 06:00 UTC, or on Monday at 06:00 UTC, without what you have read in the meantime. You hear only of what your role shows you when the mail is written.",
    answer: MailWishes,
    refusals: ["mail_off", "mail_stopped"],
    run: async (deps, { actor, body }) => (await service()).changeWishes(deps, actor, body),
  }),
];
