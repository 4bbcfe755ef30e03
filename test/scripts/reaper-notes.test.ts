import { expect, test } from "bun:test";
import { join } from "node:path";
import { lauxlib, lua, lualib, to_jsstring, to_luastring } from "fengari";

const SCRIPT = await Bun.file(join(import.meta.dir, "../../packaging/reaper/dubplate-notes.lua")).text();

/** REAPER's functions as its reference describes them, over a list of markers. */
const PRELUDE = `
  local markers, ext, next_guid, undo = {}, {}, 0, {}
  calls, answer, bounds, project_notes, has_guids, asked = {}, "", 1, "dubplate track: trk_0a1", true, "12.5"
  local function call(text) calls[#calls + 1] = text end
  local function sort()
    table.sort(markers, function(a, b) return a.pos < b.pos end)
  end
  local function at(number, is_region)
    for index, marker in ipairs(markers) do
      if marker.number == number and marker.is_region == is_region then return index end
    end
  end
  function shown()
    local list = {}
    for _, m in ipairs(markers) do
      local stop = m.is_region and string.format("-%.3f", m.stop) or ""
      list[#list + 1] = string.format("%s%d %.3f%s %s", m.is_region and "R" or "M", m.number, m.pos, stop, m.name)
    end
    return table.concat(list, "|")
  end
  function rename(number, name) markers[at(number, false)].name = name end
  function keep() undo = {}; for index, marker in ipairs(markers) do undo[index] = marker end end
  function back() markers = undo end
  local kept = { program = "C:/My Tools/dubplate", url = "http://dub", key = "k" }
  reaper = {
    GetExtState = function(_, name) return kept[name] or "" end,
    SetExtState = function(_, name, value) kept[name] = value end,
    GetUserInputs = function(title, _, question) call("ask " .. question); return asked ~= nil, asked or "" end,
    GetSetProjectNotes = function() return project_notes end,
    GetSetProjectInfo = function(_, name)
      if name == "RENDER_BOUNDSFLAG" then return bounds end
      return name == "RENDER_STARTPOS" and 30 or 0
    end,
    GetSet_LoopTimeRange = function() return 8, 99 end,
    GetSetProjectInfo_String = function(_, name)
      local marker = markers[tonumber(name:match("^MARKER_GUID:(%d+)$")) + 1]
      if not has_guids or not marker then return false, "" end
      return true, marker.guid
    end,
    GetProjExtState = function(_, section, name) local value = ext[section .. name] or ""; return #value, value end,
    SetProjExtState = function(_, section, name, value)
      assert(not value:find("[\\r\\n]"), "a project file has one line per value")
      ext[section .. name] = value
    end,
    EnumProjectMarkers3 = function(_, index)
      local m = markers[index + 1]
      if not m then return 0, false, 0, 0, "", 0, 0 end
      return index + 1, m.is_region, m.pos, m.stop, m.name, m.number, 0
    end,
    AddProjectMarker2 = function(_, is_region, pos, stop, name, wanted)
      local number = wanted
      if number < 0 or at(number, is_region) then
        number = 1
        while at(number, is_region) do number = number + 1 end
      end
      next_guid = next_guid + 1
      markers[#markers + 1] = { is_region = is_region, pos = pos, stop = stop, name = name, number = number, guid = "{" .. next_guid .. "}" }
      sort()
      return number
    end,
    DeleteProjectMarker = function(_, number, is_region) table.remove(markers, at(number, is_region)); return true end,
    Undo_BeginBlock2 = function() call("begin"); keep() end,
    Undo_EndBlock2 = function(_, text) call("end " .. text) end,
    UpdateTimeline = function() call("update") end,
    ExecProcess = function(text) call("run " .. text); return answer ~= "" and answer or nil end,
    MB = function(text) call("say " .. text) end,
  }
`;

/** A REAPER with a project. */
function studio() {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const run = (text: string): string => {
    if (lauxlib.luaL_dostring(state, to_luastring(text)) !== lua.LUA_OK)
      throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
    return lua.lua_isstring(state, -1) ? to_jsstring(lua.lua_tostring(state, -1)) : "";
  };
  run(PRELUDE);
  return {
    run,
    /** Runs the script on an answer of the program. Returns what it asked of REAPER. */
    pull: (...notes: string[]) => {
      run(`calls, answer = {}, ${JSON.stringify(`0\n${notes.map((note) => `${note}\n`).join("")}`)}`);
      run(SCRIPT);
      return run("return table.concat(calls, '|')").split("|");
    },
    markers: () => run("return shown()").split("|").filter(Boolean),
    addForeign: (name: string, pos: number, stop?: number) =>
      run(
        `reaper.AddProjectMarker2(0, ${stop !== undefined}, ${pos}, ${stop ?? pos}, ${JSON.stringify(name)}, -1, 0)`,
      ),
  };
}

const KICK = "cmt_a\t4.000000\t\tAna: kick, too loud";
const VOX = "cmt_b\t6.000000\t9.250000\tBo: Gesang früher";

test("notes become markers and regions in one step that can be undone", () => {
  const reaper = studio();

  const calls = reaper.pull(KICK, VOX);

  expect(calls).toEqual([
    'run "C:/My Tools/dubplate" notes --format tsv --track "trk_0a1" --url "http://dub" --key "k"',
    "begin",
    "end Dubplate: pull notes",
    "update",
  ]);
  expect(reaper.markers()).toEqual(["M1 4.000 Ana: kick, too loud", "R1 6.000-9.250 Bo: Gesang früher"]);
});

test.each([true, false])(
  "pulling again doubles nothing and touches no other marker; GUIDs: %p",
  (hasGuids) => {
    const reaper = studio();
    reaper.run(`has_guids = ${hasGuids}`);
    reaper.addForeign("Verse", 2);
    reaper.addForeign("Ana: kick, too loud", 5);
    reaper.addForeign("Chorus", 20, 40);

    reaper.pull(KICK, VOX);
    const once = reaper.markers();
    reaper.pull(KICK, VOX);
    const twice = reaper.markers();
    reaper.pull("cmt_b\t7.000000\t9.250000\tBo: Gesang früher", "cmt_c\t1.000000\t\tNew");
    const later = reaper.markers();
    reaper.pull();

    expect(once).toEqual([
      "M1 2.000 Verse",
      "M3 4.000 Ana: kick, too loud",
      "M2 5.000 Ana: kick, too loud",
      "R2 6.000-9.250 Bo: Gesang früher",
      "R1 20.000-40.000 Chorus",
    ]);
    expect(twice).toEqual(once);
    expect(later).toEqual([
      "M3 1.000 New",
      "M1 2.000 Verse",
      "M2 5.000 Ana: kick, too loud",
      "R2 7.000-9.250 Bo: Gesang früher",
      "R1 20.000-40.000 Chorus",
    ]);
    expect(reaper.markers()).toEqual([
      "M1 2.000 Verse",
      "M2 5.000 Ana: kick, too loud",
      "R1 20.000-40.000 Chorus",
    ]);
  },
);

test("what a person renamed is replaced, and a marker that took a number of ours stays", () => {
  const reaper = studio();
  reaper.pull(KICK);
  reaper.run('rename(1, "my own words")');
  reaper.pull(KICK);
  const renamed = reaper.markers();
  reaper.run("reaper.DeleteProjectMarker(0, 1, false)");
  reaper.addForeign("Bridge", 50);

  reaper.pull(KICK);

  expect(renamed).toEqual(["M1 4.000 Ana: kick, too loud"]);
  expect(reaper.markers()).toEqual(["M2 4.000 Ana: kick, too loud", "M1 50.000 Bridge"]);
});

test("after an undo, the markers of an earlier run are replaced too", () => {
  const reaper = studio();
  reaper.pull(KICK);
  reaper.pull(KICK, VOX);
  reaper.run("back()");

  reaper.pull(KICK, VOX);

  expect(reaper.markers()).toEqual(["M1 4.000 Ana: kick, too loud", "R1 6.000-9.250 Bo: Gesang früher"]);
});

test.each([
  [0, "M1 34.000 Ana: kick, too loud"],
  [1, "M1 4.000 Ana: kick, too loud"],
  [2, "M1 12.000 Ana: kick, too loud"],
  [3, "M1 16.500 Ana: kick, too loud"],
])("times count from where the render begins: bounds %p", (bounds, marker) => {
  const reaper = studio();
  reaper.run(`bounds = ${bounds}`);

  reaper.pull(KICK);

  expect(reaper.markers()).toEqual([marker]);
});

test("nothing changes when the server refuses, the answer is odd, the program is missing or nobody says the start", () => {
  const reaper = studio();
  reaper.pull(KICK);
  const fail = (lua: string) => {
    reaper.run(`calls = {}; ${lua}`);
    reaper.run(SCRIPT);
    return reaper.run("return table.concat(calls, '|')").split("|").at(-1);
  };

  expect(fail('answer = "1\\nThis API key lacks the scope read:comments"')).toBe(
    "say This API key lacks the scope read:comments",
  );
  expect(fail('answer = "0\\nnot a note"')).toBe("say The answer could not be read: not a note");
  expect(fail('answer = ""')).toBe("say The program did not start: C:/My Tools/dubplate");
  expect(fail('answer, bounds, asked = "0\\n", 4, nil')).toBe("ask Second at which the render starts");
  expect(fail('project_notes = "120 bpm"')).toContain("dubplate track: trk_019...");
  expect(reaper.markers()).toEqual(["M1 4.000 Ana: kick, too loud"]);
});

test("says when there are no open notes", () => {
  expect(studio().pull().at(-1)).toBe("say There are no open notes.");
});
