/** @jsxRuntime automatic @jsxImportSource preact */
import { ButtonLink, Card } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";

/** After a sign-in that took everything away that was set up under the person's address. */
export function TakenPage({
  root,
  next,
  provider,
  taken,
}: {
  root: string;
  next: string;
  provider: string;
  taken: readonly string[];
}) {
  const title = `You now sign in with ${provider}`;
  return (
    <Page title={title} root={root}>
      <Card
        title={title}
        lead={`${provider} confirms that your address is yours. Somebody else may have used it here before you, so these no longer work:`}
      >
        <ul>
          {taken.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <p class="soft">Your music, links and comments are as they were.</p>
        <ButtonLink href={next}>Continue</ButtonLink>
      </Card>
    </Page>
  );
}
