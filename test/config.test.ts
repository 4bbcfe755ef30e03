import { describe, expect, test } from "bun:test";
import { readSettings } from "../src/config.ts";
import { SettingError } from "../src/kernel/setting-values.ts";
import { listenAddress } from "../src/kernel/settings.ts";

describe("settings", () => {
  test("have the documented defaults", () => {
    expect(readSettings({})).toMatchObject({
      host: "127.0.0.1",
      port: 4747,
      rateLimit: 100,
      trustedProxies: 0,
      searchCreditsDefault: null,
      registrationOpen: false,
      revealKeys: true,
      logLevel: "info",
      corsOrigins: [],
      networkAllow: [],
    });
  });

  test("an empty variable counts as unset", () => expect(readSettings({ PORT: " " }).port).toBe(4747));

  test("settings of earlier versions are ignored", () =>
    expect(readSettings({ MODEL_PROVIDER: "clap", MODEL_RUNTIME: "/runtime" })).toEqual(readSettings({})));

  test.each([
    ["PORT", "70000", "PORT must be a whole number from 0 to 65535"],
    ["PORT", "http", "PORT must be a whole number"],
    ["RATE_LIMIT", "-1", "RATE_LIMIT must be"],
    ["REGISTRATION", "yes", "REGISTRATION must be one of: open, closed"],
    ["KEY_REVEAL", "1", "KEY_REVEAL must be one of: on, off"],
    ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of"],
    ["PUBLIC_URL", "example.com", "PUBLIC_URL must be an address"],
    ["PUBLIC_URL", "https://me:secret@music.example", "PUBLIC_URL must not have a user name or a password"],
    ["API_ROOT", "https://me@music.example", "API_ROOT must not have a user name or a password"],
    ["MCP_BASE", "https://:secret@music.example", "MCP_BASE must not have a user name or a password"],
    ["CORS_ORIGINS", "nonsense", "CORS_ORIGINS must be"],
    ["SEARCH_CREDITS_DEFAULT", "many", "SEARCH_CREDITS_DEFAULT must be"],
    ["ANALYSIS_CONCURRENCY", "257", "ANALYSIS_CONCURRENCY must be"],
    ["TRUST_PROXY", "on", "TRUST_PROXY must be"],
  ])("%s=%s is refused in one sentence", (name, value, sentence) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingError);
    expect(() => readSettings({ [name]: value })).toThrow(sentence);
  });

  test.each([
    undefined,
    "http://music.example.com",
    "https://192.0.2.7",
    "https://[2001:db8::1]",
    "http://127.0.0.1:4747",
  ])("passkeys are refused where they could not work: at %s", (url) =>
    expect(() => readSettings({ PASSKEYS: "on", PUBLIC_URL: url })).toThrow("PASSKEYS needs a PUBLIC_URL"),
  );

  test.each(["https://music.example.com/home", "http://localhost:4747"])("passkeys work at %s", (url) =>
    expect(readSettings({ PASSKEYS: "on", PUBLIC_URL: url }).passkeys).toBe(true),
  );

  test.each([
    [{ OIDC_ISSUER: "https://id.example.com" }, "OIDC_ISSUER needs OIDC_CLIENT_ID"],
    [{ OIDC_CLIENT_ID: "dubplate" }, "OIDC_CLIENT_ID needs OIDC_ISSUER"],
    [{ OIDC_ISSUER: "http://id.example.com", OIDC_CLIENT_ID: "d" }, "OIDC_ISSUER must be https"],
    [{ OIDC_ISSUER: "https://id.example.com?a=b", OIDC_CLIENT_ID: "d" }, "OIDC_ISSUER must be https"],
    [{ OIDC_JOIN: "anyone" }, "OIDC_JOIN must be one of: invited, email"],
    [{ OIDC_SESSION: "91d" }, "OIDC_SESSION must be a time"],
    [{ PASSWORDS: "off" }, "PASSWORDS=off needs PASSKEYS=on or OIDC_ISSUER"],
    [
      { PASSWORDS: "off", PASSKEYS: "on", PUBLIC_URL: "https://m.example", REGISTRATION: "open" },
      "PASSWORDS=off needs REGISTRATION=closed",
    ],
  ])("%p are refused together", (env, sentence) => expect(() => readSettings(env)).toThrow(sentence));

  test("addresses lose their trailing slash, and lists their spaces", () => {
    const settings = readSettings({
      PUBLIC_URL: "https://music.example.com/",
      CORS_ORIGINS: "https://a.example.com/path, http://b.example.com:8080",
      NETWORK_ALLOW: "nas.local, 10.0.0.2:8080,",
      SEARCH_CREDITS_DEFAULT: "50",
      TRUST_PROXY: "off",
    });

    expect(settings.publicUrl).toBe("https://music.example.com");
    expect(settings.corsOrigins).toEqual(["https://a.example.com", "http://b.example.com:8080"]);
    expect(settings.networkAllow).toEqual(["nas.local", "10.0.0.2:8080"]);
    expect(settings.searchCreditsDefault).toBe(50);
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:80"],
    ["::", "http://127.0.0.1:80"],
    ["::1", "http://[::1]:80"],
    ["studio.local", "http://studio.local:80"],
  ])("listening on %s is reached at %s", (host, address) =>
    expect(listenAddress({ host, port: 80 })).toBe(address),
  );
});
