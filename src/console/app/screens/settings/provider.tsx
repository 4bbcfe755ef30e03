/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { toast } from "../../ui/toast.tsx";
import { Part } from "./frame.tsx";
import { proved } from "./proof.tsx";
import { readSignIn, useSignIn } from "./sign-in-state.ts";

/** The house's own provider, where the server has one. */
export function Provider() {
  const provider = useSignIn()?.provider;
  if (!provider) return null;
  const { name, connected } = provider;
  return (
    <Part
      heading={name}
      note={`Sign in with your account of ${name}.`}
      tools={
        connected ? (
          <Button look="small quiet" run={() => proved(() => disconnect(name))}>
            {`Disconnect ${name}`}
          </Button>
        ) : (
          <Button look="small" run={() => proved(connect)}>
            {`Connect ${name}`}
          </Button>
        )
      }
    >
      {connected ? (
        <p>
          Connected{connected.email === null ? "" : ` as ${connected.email}`}.{" "}
          {connected.lastUsedAt !== null && (
            <span class="soft" title={wholeTime(connected.lastUsedAt)}>
              Last used {ago(connected.lastUsedAt)}.
            </span>
          )}
        </p>
      ) : (
        <p class="soft">You have not connected it.</p>
      )}
    </Part>
  );
}

async function connect(): Promise<void> {
  const { url } = await dataOf(api.POST("/app/account/provider", {}));
  location.assign(url);
}

async function disconnect(name: string): Promise<void> {
  await dataOf(api.DELETE("/app/account/provider", {}));
  toast(`${name} disconnected`);
  await readSignIn();
}
