import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Server } from "node:http";
// @ts-expect-error it comes without types
import Oidc from "oidc-provider";
import { createVisitor, type Seen, textOf } from "../pages/visitor.ts";
import type { Json } from "../support/app.ts";

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** What the provider does that it should not. */
export type Fault = {
  claims?: (claims: Json) => Json;
  /** How the ID token is signed in the place of its own way. */
  sign?: "none" | "another key" | "changed" | "HS256";
  /** Answers in the place of the provider, by path. */
  answer?: (path: string) => { status: number; body: string; type?: string } | undefined;
  /** Changes the address by which the browser comes back. */
  back?: (url: URL) => void;
};

type Account = { sub: string; email?: unknown; email_verified?: unknown; name?: string };

export const SECRET = "a secret of the two servers";
/** What this server is called there. */
export const CLIENT = "dubplate";

/** Starts a real OpenID provider on this machine, with one account that signs in at once. */
export async function startProvider(callback: string, { inIdToken = false, isPublic = false } = {}) {
  const key = newKey();
  const jwk = { ...key.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
  const state = {
    /** Where it sends browsers back to. */
    callback,
    account: { sub: "nobody" } as Account,
    fault: {} as Fault,
    requests: [] as string[],
  };

  const providerAt = (port: number) => {
    const issuer = `http://127.0.0.1:${port}`;
    const provider = quietly(
      () =>
        new Oidc(issuer, {
          clients: [
            {
              client_id: CLIENT,
              redirect_uris: [callback],
              ...(isPublic ? { token_endpoint_auth_method: "none" } : { client_secret: SECRET }),
            },
          ],
          jwks: { keys: [jwk] },
          cookies: { keys: ["a key of the tests"] },
          features: { devInteractions: { enabled: false } },
          conformIdTokenClaims: !inIdToken,
          claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
          ttl: {
            Interaction: 600,
            Session: 600,
            Grant: 600,
            AccessToken: 600,
            IdToken: 600,
            AuthorizationCode: 60,
          },
          findAccount: (_: Json, id: string) => ({
            accountId: id,
            claims: () => ({ ...state.account, sub: id }),
          }),
          interactions: { url: (_: Json, { uid }: { uid: string }) => `/interaction/${uid}` },
          loadExistingGrant: async (context: Json) => {
            const { client, session, provider: own } = context.oidc;
            const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
            grant.addOIDCScope("openid email profile");
            await grant.save();
            return grant;
          },
          renderError(context: Json, out: Json) {
            context.body = JSON.stringify(out);
          },
        }),
    );
    provider.Client.prototype.redirectUriAllowed = (uri: string) => uri === state.callback;
    provider.use(async (context: Json, next: () => Promise<void>) => {
      state.requests.push(`${context.method} ${context.path}`);
      const instead = state.fault.answer?.(context.path);
      if (instead) {
        context.status = instead.status;
        context.type = instead.type ?? "application/json";
        context.body = instead.body;
        return;
      }
      if (context.path.startsWith("/interaction/")) {
        const login = { accountId: state.account.sub };
        await provider.interactionFinished(
          context.req,
          context.res,
          { login },
          { mergeWithLastSubmission: false },
        );
        context.respond = false;
        return;
      }
      await next();
      if (context.path === "/token" && context.body?.id_token)
        context.body = { ...context.body, id_token: resigned(context.body.id_token, key, state.fault) };
    });
    return provider;
  };

  const port = await freePort();
  const server: Server = await new Promise((resolve) => {
    const made: Server = providerAt(port).listen(port, "127.0.0.1", () => resolve(made));
  });
  return {
    issuer: `http://127.0.0.1:${port}`,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type RunningProvider = Awaited<ReturnType<typeof startProvider>>;

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

/** The package warns of the runtime and of its defaults. */
function quietly<Made>(make: () => Made): Made {
  const { warn, info } = console;
  console.warn = () => undefined;
  console.info = () => undefined;
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

/** Returns the ID token with the fault in it, signed as the provider would have. */
function resigned(token: string, own: KeyObject, { claims, sign }: Fault): string {
  if (!claims && !sign) return token;
  const [header = "", payload = "", signature = ""] = token.split(".");
  const read = (part: string): Json => JSON.parse(Buffer.from(part, "base64url").toString());
  const body = b64(claims ? claims(read(payload)) : read(payload));
  if (sign === "changed") return `${header}.${b64({ ...read(payload), extra: 1 })}.${signature}`;
  if (sign === "none") return `${b64({ alg: "none" })}.${body}.`;
  if (sign === "HS256") {
    const text = `${b64({ alg: "HS256" })}.${body}`;
    return `${text}.${new Bun.CryptoHasher("sha256", SECRET).update(text).digest("base64url")}`;
  }
  const signer = createSign("RSA-SHA256").update(`${header}.${body}`);
  return `${header}.${body}.${signer.sign(sign === "another key" ? newKey() : own).toString("base64url")}`;
}

/** A browser with cookies of this server and of the provider. It follows redirects between the two. */
export function createBrowser(app: Parameters<typeof createVisitor>[0], origin: string) {
  const visitor = createVisitor(app, "203.0.113.7", origin);
  const cookies = new Map<string, string>();

  const step = async (url: string): Promise<string> => {
    const header = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const answer = await fetch(url, { redirect: "manual", headers: header });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location !== null) return new URL(location, url).href;
    throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
  };

  /** Goes through the provider; returns the address by which the browser comes back. */
  const throughProvider = async (start: string): Promise<string> => {
    let url = start;
    while (!url.startsWith(origin)) url = await step(url);
    return url.slice(origin.length);
  };

  /** Begins at this server, and comes back with an answer that has not been opened yet. */
  const begin = async (path = "/auth/provider", headers: Record<string, string> = {}): Promise<string> => {
    const begun = await visitor.open(path, headers);
    if (begun.location === null) throw new Error(`${begun.status}: ${textOf(begun)}`);
    return throughProvider(begun.location);
  };
  return {
    visitor,
    begin,
    throughProvider,
    /** The whole way: to the provider, and back. */
    signIn: async (path?: string, headers?: Record<string, string>): Promise<Seen> =>
      visitor.open(await begin(path, headers)),
    /** Signs out at the provider. */
    forget: () => cookies.clear(),
  };
}
