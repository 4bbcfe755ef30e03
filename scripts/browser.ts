/**
 * Makes sure that the page tests have a browser. Installs Debian's Chromium where possible; otherwise prints one line
 * that says why those tests will be skipped. Never fails.
 *
 * usage: bun scripts/browser.ts
 */
import "./support/help.ts";
import { findBrowser } from "./find-browser.ts";

const INSTALL_TIMEOUT_MS = 5 * 60_000;

const reason = findBrowser() ? undefined : install();
if (reason) console.error(`No Chromium: the tests in a browser are skipped (${reason})`);

/** Installs a browser. Returns why that failed, or undefined when a browser is there. */
function install(): string | undefined {
  if (!Bun.which("apt-get")) return "install Chromium or Chrome to run them";
  if (process.getuid?.() !== 0) return "run `apt-get install chromium-headless-shell` as root to run them";
  console.error("Installing Chromium for the tests in a browser");
  for (const command of [
    ["apt-get", "update", "-q"],
    ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium-headless-shell"],
  ]) {
    const { exitCode } = Bun.spawnSync(command, {
      stdout: "ignore",
      stderr: "ignore",
      timeout: INSTALL_TIMEOUT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (exitCode !== 0) return `${command.join(" ")} failed`;
  }
  return findBrowser() ? undefined : "the package installed no browser";
}
