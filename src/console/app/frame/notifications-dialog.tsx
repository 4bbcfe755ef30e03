/** @jsxRuntime automatic @jsxImportSource preact */
import { api } from "../api/client.ts";
import { canOpen } from "../api/needs.ts";
import { type AnswerOf, optimistically, useQuery } from "../api/queries.ts";
import { useMaker } from "../api/team.ts";
import { href } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { ago, wholeTime } from "../ui/dates.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { toastError } from "../ui/toast.tsx";
import { MixAnswers, mixOffers, useMixOffers } from "../uploads/mixes.tsx";
import { notificationsQuery } from "./told.ts";
import "./notifications.css";

type Answer = AnswerOf<"/app/notifications">;
type Notification = Answer["data"][number];

/** The notifications of the account, newest first. New ones come in while the list is open. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(notificationsQuery());
  useMixOffers(data?.data.some(isOfMix) ?? false);
  return (
    <Dialog label="Notifications" onClose={onClose}>
      <Problem error={error} onRetry={refetch} />
      {data && data.data.length === 0 && <p class="soft">No notifications yet.</p>}
      {data && data.unreadCount > 0 && (
        <div>
          <Button look="secondary small" run={readAll}>
            Mark all read
          </Button>
        </div>
      )}
      {data && data.data.length > 0 && (
        <ul class="notifications" aria-label="Notifications">
          {data.data.map((each) => (
            <Item key={each.id} notification={each} onClose={onClose} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Item({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const { id, title, createdAt, readAt, by } = notification;
  const maker = useMaker(by);
  const path = placeOf(notification);
  const offer = isOfMix(notification) ? mixOffers.value.get(notification.entityId) : undefined;
  const follow = () => {
    if (readAt === null) void read(id);
    onClose();
  };
  return (
    <li class={readAt === null ? "notification is-unread" : "notification"}>
      <span class="notification-words">
        {readAt === null && <span class="sr-only">Unread: </span>}
        {path === undefined || !canOpen(path) ? (
          title
        ) : (
          <a href={href(path)} onClick={follow}>
            {title}
          </a>
        )}
        <span class="soft" title={wholeTime(createdAt)}>
          {[maker, ago(createdAt)].filter(Boolean).join(", ")}
        </span>
      </span>
      {readAt === null && (
        <Button look="quiet small" label={`Mark read: ${title}`} run={() => read(id)}>
          Mark read
        </Button>
      )}
      {offer && (
        <div class="notification-answers">
          <MixAnswers offer={offer} />
        </div>
      )}
    </li>
  );
}

/** True for one that says which track sounds like a mix of another, or how many do. */
const isOfMix = ({ kind }: Notification) => kind === "track.mix_found";

/** True for one that says what became of a note, or what somebody says of a version. */
const isOfRound = (kind: string) =>
  ["comment.reply", "comment.answered", "version.approved", "version.changes"].includes(kind);

/** Where those lead that are about more than a thing, by their kind, or by kind and thing. */
const PLACES: Readonly<Record<string, string>> = {
  "brief.submission": "/library/inbox",
  "share.answered": "/library/inbox?show=answers",
  "mail.refused track": "/library/tracks/{id}?tab=links",
  "mail.refused library": "/library/settings/team",
  "library.mail_refused": "/library/settings/mail",
  "track.mix_found library": "/library/uploads",
};

/** Where the thing shows that a notification is about. */
function placeOf({ kind, entityKey, entityId }: Notification): string | undefined {
  const place = PLACES[`${kind} ${entityKey}`] ?? PLACES[kind];
  if (place !== undefined) return place.replace("{id}", entityId);
  switch (entityKey) {
    case "track":
      return `/library/tracks/${entityId}${isOfRound(kind) ? "?tab=review" : ""}`;
    case "playlist":
      return `/library/playlists/${entityId}`;
    case "brief":
      return `/library/briefs/${entityId}`;
    case "composer":
      return `/library/composers/${entityId}`;
    case "key":
      return "/library/settings/keys";
    case "library":
      return "/library";
    default:
      return undefined;
  }
}

const readNow = (answer: Answer, isMeant: (each: Notification) => boolean): Answer => {
  const readAt = new Date().toISOString();
  const left = answer.data.filter((each) => each.readAt === null && isMeant(each)).length;
  return {
    ...answer,
    data: answer.data.map((each) => (isMeant(each) ? { ...each, readAt: each.readAt ?? readAt } : each)),
    unreadCount: Math.max(0, answer.unreadCount - left),
  };
};

async function read(id: string): Promise<void> {
  const make = () => api.POST("/app/notifications/{id}/read", { params: { path: { id } } });
  await optimistically(
    notificationsQuery(),
    (answer) => readNow(answer, (each) => each.id === id),
    make,
  ).catch(toastError);
}

async function readAll(): Promise<void> {
  const patch = (answer: Answer) => ({ ...readNow(answer, () => true), unreadCount: 0 });
  await optimistically(notificationsQuery(), patch, () => api.POST("/app/notifications/read")).catch(
    toastError,
  );
}
