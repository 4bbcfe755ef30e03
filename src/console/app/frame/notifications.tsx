/** @jsxRuntime automatic @jsxImportSource preact */
import { useQuery } from "../api/queries.ts";
import { showDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { notificationsQuery } from "./told.ts";

/** Opens what the server has told the account. */
export async function openNotifications(): Promise<void> {
  const { NotificationsDialog } = await import("./notifications-dialog.tsx");
  showDialog((close) => <NotificationsDialog onClose={close} />);
}

/** The bell: how many notifications are unread, and the way to them. */
export function Bell() {
  const { data } = useQuery(notificationsQuery());
  const unread = data?.unreadCount ?? 0;
  return (
    <button
      type="button"
      class="icon-button bell"
      aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread} unread`}
      aria-haspopup="dialog"
      title="Notifications"
      onClick={() => void openNotifications()}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span class="bell-count" aria-hidden="true">
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </button>
  );
}
