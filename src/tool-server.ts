import type { Deps } from "./kernel/deps.ts";
import type { Settings } from "./kernel/settings.ts";
import type { Credentials } from "./mcp/caller.ts";
import type { Dispatch } from "./mcp/calls/dispatch.ts";
import type { Operations } from "./mcp/calls/operations.ts";
import type { McpVariant, ToolServer } from "./mcp/mount.ts";
import type { Rails } from "./modules/outward/assistant/shapes.ts";
import { principalOfKey } from "./modules/people/keys/authenticate.ts";
import { resourceOf, wellKnownPath } from "./modules/people/oauth/addresses.ts";
import { authenticateAccessToken } from "./modules/people/oauth/service.ts";

/** Loads and makes the tool server of an app. */
export async function loadToolServer(
  deps: Deps,
  own: { dispatch: Dispatch; operations: Operations; rails: Rails; variant: McpVariant | undefined },
): Promise<ToolServer> {
  const { createToolServer } = await import("./mcp/mount.ts");
  return createToolServer(deps, {
    ...own,
    credentials: toolCredentials(deps),
    resourceMetadataUrl: resourceMetadataUrl(deps.settings),
  });
}

/** The credentials of the tool server: keys, and grants from the sign-in flow (decision 5.7). */
function toolCredentials(deps: Deps): Credentials {
  return {
    key: (key, actAsUser) => principalOfKey(deps, key, actAsUser),
    bearer: (token) => {
      const { grantId, scopes, ...actor } = authenticateAccessToken(deps, token, resourceOf(deps.settings));
      return { actor: { keyId: grantId, ...actor }, scopes };
    },
  };
}

function resourceMetadataUrl(settings: Settings): string {
  const resource = resourceOf(settings);
  return new URL(wellKnownPath("oauth-protected-resource", resource), resource).href;
}
