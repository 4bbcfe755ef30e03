import { formReader } from "../../../../pages/form.ts";
import { MAX_COMMENT } from "../../comments/shapes.ts";
import { partsOf } from "../player/thread-views.ts";
import { heardVersion, receiveComment, visitOf } from "./comment-pages.ts";
import type { SharePages, ShareRequest } from "./request-pages.ts";
import { receiveForm } from "./visitor-form-pages.tsx";

const readComment = formReader(
  ...["e", "s", "version", "website", "name", "track", "at", "end", "parent", "text"],
);

/** What is shown again of a field, which may be too long. */
const MAX_DRAFT = 2 * MAX_COMMENT;

/** Returns what was typed into a field, as far as it is shown again. */
export const draftOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? "").slice(0, MAX_DRAFT);

/** Receives a comment: a note, or a reply to one. */
export async function comment(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const form = await readComment(asked.request);
  const { deps } = pages;
  return receiveForm(pages, asked, {
    receive: ({ share, member }) => {
      const json = receiveComment(deps, share, form, {
        authorId: member?.personId ?? null,
        visit: visitOf(deps, share, asked.request),
        after: partsOf(asked.request).after,
      });
      return { json, anchor: json.parentId === null ? "#comments" : `#${json.parentId}` };
    },
    again: (props, error) => ({
      ...props,
      comments: props.comments && { ...props.comments, error, draft: toDraft(pages, form) },
    }),
    parts: { reply: form.get("parent") || null },
  });
}

const toDraft = ({ deps }: SharePages, form: URLSearchParams) => ({
  name: draftOf(form, "name"),
  text: draftOf(form, "text"),
  at: draftOf(form, "at"),
  end: draftOf(form, "end"),
  trackId: draftOf(form, "track"),
  versionId: heardVersion(deps, form),
});
