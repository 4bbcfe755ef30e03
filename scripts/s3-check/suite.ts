/** Tests that mean the same on both stores (docs/object-storage.md). */
const TESTS = [
  "test/contract",
  "test/api",
  "test/desk",
  "test/flows/formats.slow.test.ts",
  "test/flows/versions.slow.test.ts",
];

/** Runs the tests of the API on a bucket. Returns a line when some failed. */
export async function runSuite(
  { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Record<string, string>,
  name: string,
): Promise<string[]> {
  const url = new URL(`${S3_ENDPOINT}/${name}`);
  Object.assign(url, { username: S3_ACCESS_KEY_ID, password: S3_SECRET_ACCESS_KEY });
  const child = Bun.spawn([process.execPath, "test", "--timeout", "300000", ...TESTS], {
    env: { ...Bun.env, TEST_S3: String(url) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [, text] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const failed = text.match(/^\(fail\).*$/gm) ?? [];
  for (const line of new Set(failed)) console.log(line);
  const passed = text.match(/^\(pass\)/gm)?.length ?? 0;
  console.log(`tests on the bucket: ${passed} passed, ${new Set(failed).size} failed`);
  return failed.length > 0 ? [`${new Set(failed).size} tests failed on the bucket`] : [];
}
