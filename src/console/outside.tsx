/** @jsxRuntime automatic @jsxImportSource preact */
import { LIBRARY_PARAMETER } from "../http/library-choice.ts";
import { ButtonLink, Card } from "../pages/components.tsx";
import { Page } from "../pages/layout.tsx";

/** Says that the person has left their last library. */
export function NoLibraryPage({ root }: { root: string }) {
  const title = "You are in no library now";
  return (
    <Page title={title} root={root}>
      <Card title={title} lead="Ask for an invitation.">
        <div class="actions">
          <ButtonLink kind="secondary" href={`${root}/signout`}>
            Sign out
          </ButtonLink>
        </div>
      </Card>
    </Page>
  );
}

/** Says that an address is of a library in which the person is not, and leads to one of theirs. */
export function NotInLibraryPage({ root, other }: { root: string; other: { id: string; name: string } }) {
  const title = "You are not in this library";
  return (
    <Page title={title} root={root}>
      <Card title={title} lead="Perhaps you have left it, or the link is not for you.">
        <div class="actions">
          <ButtonLink href={`${root}/library?${LIBRARY_PARAMETER}=${other.id}`}>
            Go to {other.name}
          </ButtonLink>
        </div>
      </Card>
    </Page>
  );
}
