import { expect, test } from "bun:test";
import { join } from "node:path";
import { lauxlib, lua, lualib, to_jsstring, to_luastring } from "fengari";

const SCRIPT = await Bun.file(join(import.meta.dir, "../../packaging/reaper/dubplate-send.lua")).text();

type Studio = {
  /** The names of the render before it and after it; files that exist after it. */
  before: string;
  after: string;
  files: string[];
  notes?: string;
  answer?: string;
  hasClipboard?: boolean;
};

/** Runs the script in a Lua interpreter, with REAPER's functions as tables of answers. Returns what it asked of REAPER. */
function run({
  before,
  after,
  files,
  notes = "",
  answer = '0\\n{"url":"http://dub/t/1"}',
  hasClipboard = true,
}: Studio) {
  const prelude = `
    calls, rendered = {}, false
    local files = { ${files.map((file) => `[${JSON.stringify(file)}] = true`).join(", ")} }
    io.open = function(path)
      return files[path] and { seek = function() return 1 end, close = function() end } or nil
    end
    local kept = { url = "http://dub", key = "k" }
    local function call(text) calls[#calls + 1] = text end
    reaper = {
      GetExtState = function(_, name) return kept[name] or "" end,
      SetExtState = function(_, name, value) kept[name] = value; call("keep " .. name .. "=" .. value) end,
      GetUserInputs = function() return true, "C:/My Tools/dubplate" end,
      GetSetProjectInfo_String = function()
        return true, rendered and ${JSON.stringify(after)} or ${JSON.stringify(before)}
      end,
      GetSetProjectNotes = function() return ${JSON.stringify(notes)} end,
      Main_OnCommand = function(id) rendered = true; call("command " .. id) end,
      ExecProcess = function(text) call("run " .. text); return ${answer === "" ? "nil" : `"${answer.replaceAll('"', '\\"')}"`} end,
      MB = function(text, title) call(title .. ": " .. text) end,
      CF_SetClipboard = ${hasClipboard ? 'function(text) call("copy " .. text) end' : "nil"},
    }
  `;
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  for (const text of [prelude, SCRIPT, "return table.concat(calls, '|')"])
    if (lauxlib.luaL_dostring(state, to_luastring(text)) !== lua.LUA_OK)
      throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
  return to_jsstring(lua.lua_tostring(state, -1)).split("|");
}

const KEEP = "keep program=C:/My Tools/dubplate";
const runOf = (file: string, more = "") =>
  `run "C:/My Tools/dubplate" send "${file}" --url "http://dub" --key "k"${more}`;

test("the REAPER script renders, sends every file that exists, and copies the track's address", () => {
  const calls = run({
    before: "/p/Night Drive.wav;/p/Night Drive.mp3",
    after: "/p/Night Drive.wav;/p/Night Drive.mp3",
    files: ["/p/Night Drive.wav", "/p/Night Drive.mp3"],
  });

  expect(calls).toEqual([
    KEEP,
    "command 42230",
    runOf("/p/Night Drive.wav"),
    runOf("/p/Night Drive.mp3"),
    "copy http://dub/t/1",
  ]);
});

test("the REAPER script sends a name that counted up as a version of the track that the project names", () => {
  const calls = run({
    before: "/p/Night Drive-001.wav",
    after: "/p/Night Drive-002.wav",
    files: ["/p/Night Drive-001.wav"],
    notes: "120 bpm\\nDubplate track: trk_0123abc\\nfor Ana",
    hasClipboard: false,
  });

  expect(calls).toEqual([
    KEEP,
    "command 42230",
    runOf("/p/Night Drive-001.wav", ' --track "trk_0123abc"'),
    "Dubplate: sent: http://dub/t/1",
  ]);
});

test("the REAPER script says what was not sent, and why", () => {
  const files = ["/p/a.wav"];
  const refused = run({
    before: "/p/a.wav",
    after: "/p/a.wav",
    files,
    answer: "3\\nhttp://dub cannot be reached",
  });
  const missing = run({ before: "/p/a.wav", after: "/p/a.wav", files, answer: "" });
  const nothing = run({ before: "/p/a.wav", after: "/p/a.wav", files: [] });

  expect(refused.at(-1)).toBe("Dubplate: not sent: /p/a.wav\nhttp://dub cannot be reached");
  expect(missing.at(-1)).toBe(
    "Dubplate: not sent: /p/a.wav\nThe program did not start: C:/My Tools/dubplate",
  );
  expect(nothing.at(-1)).toBe("Dubplate: The render wrote no file.");
});
