/** @jsxRuntime automatic @jsxImportSource preact */

import { momentOf } from "../../../kernel/dates.ts";
import { Card } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { sizeText } from "../../../pages/size.ts";
import type { Batch } from "../briefs/service.ts";
import type { SentFile } from "./shapes.ts";

/** Shows senders what they sent to a brief, but neither other submissions nor how the owner handled this one. */
export function ReceiptPage({
  root,
  batch,
  files,
}: {
  root: string;
  batch: Batch;
  files: readonly SentFile[];
}) {
  const { briefName, ownerName, senderName, message, sentAt, links, count } = batch;
  const unnamed = count - files.length - links.length;
  return (
    <Page title="What you sent" root={root}>
      <Card
        title="What you sent"
        lead={
          <>
            {ownerName} has received {count === 1 ? "this" : `these ${count} pieces`} for {briefName}.
          </>
        }
      >
        <ul class="received">
          {files.map(({ name, sizeBytes }) => (
            <li key={name}>
              {name} <span class="soft">{sizeText(sizeBytes)}, received</span>
            </li>
          ))}
          {links.map((link) => (
            <li key={link}>
              {link} <span class="soft">link, received</span>
            </li>
          ))}
          {unnamed > 0 && <li>{unnamed === 1 ? "1 file" : `${unnamed} files`}</li>}
        </ul>
        <dl class="facts">
          <dt>Sent</dt>
          <dd>
            <time dateTime={new Date(sentAt).toISOString()}>{momentOf(sentAt)} (UTC)</time>
          </dd>
          {senderName && (
            <>
              <dt>From</dt>
              <dd>{senderName}</dd>
            </>
          )}
          {message && (
            <>
              <dt>Message</dt>
              <dd class="received-message">{message}</dd>
            </>
          )}
        </dl>
        <p class="soft">Anyone with the address of this page can see it. Keep it to yourself.</p>
      </Card>
    </Page>
  );
}
