-- @description Dubplate: pull notes
-- @about
--   Makes a marker or a region of every open note on the active version of the project's track on Dubplate. Running it again replaces
--   those that it made, and takes away those whose note was answered or deleted. It never touches other markers.
--
--   The project names its track in File > Project settings > Notes, with a line such as:  dubplate track: trk_019...
--   Program, server and key are those of dubplate-send.lua. The key needs the scopes read:comments and read:tracks.

local SECTION = "dubplate"
local MADE = "notes"
local TITLE = "Dubplate: pull notes"
local TIMEOUT_MS = 60000
-- After an undo, the markers of earlier runs are there again: their entries are kept too, so many of them.
local MAX_REMEMBERED = 6000
-- In the undo history: markers and regions.
local UNDO_MISC = 8

-- Asks once for the program, the server and a key; REAPER keeps them on this machine.
local function setting(name, question, default)
  local value = reaper.GetExtState(SECTION, name)
  if value ~= "" then return value end
  local ok, answer = reaper.GetUserInputs("Dubplate", 1, question .. ",extrawidth=300", default)
  if not ok or answer == "" then return nil end
  reaper.SetExtState(SECTION, name, answer, true)
  return answer
end

local function track_of_project()
  local notes = reaper.GetSetProjectNotes(0, false, "") or ""
  return notes:match("[Dd]ubplate track:%s*(trk_%w+)")
end

local function quoted(text) return '"' .. text:gsub('"', '') .. '"' end

-- Returns the open notes, or nil and what went wrong.
local function fetch(program, track, url, key)
  local command = quoted(program) .. " notes --format tsv --track " .. quoted(track)
  command = command .. " --url " .. quoted(url) .. " --key " .. quoted(key)
  local answer = reaper.ExecProcess(command, TIMEOUT_MS)
  if not answer then return nil, "The program did not start: " .. program end
  local code, text = answer:match("^(%-?%d+)\r?\n?(.*)$")
  if code ~= "0" then return nil, text or answer end
  local notes = {}
  for line in text:gmatch("[^\r\n]+") do
    local id, start, stop, name = line:match("^([%w_]+)\t(%d+%.?%d*)\t(%d*%.?%d*)\t(.*)$")
    if not id then return nil, "The answer could not be read: " .. line end
    notes[#notes + 1] = { id = id, start = tonumber(start), stop = tonumber(stop), name = name }
  end
  return notes
end

-- Where the second 0 of a render is in the project; nil when the person does not say.
local function render_start()
  local bounds = reaper.GetSetProjectInfo(0, "RENDER_BOUNDSFLAG", 0, false)
  if bounds == 0 then return reaper.GetSetProjectInfo(0, "RENDER_STARTPOS", 0, false) end
  if bounds == 1 then return 0 end
  if bounds == 2 then
    local start = reaper.GetSet_LoopTimeRange(false, false, 0, 0, false)
    return start
  end
  local ok, answer = reaper.GetUserInputs(TITLE, 1, "Second at which the render starts", "0")
  return ok and tonumber(answer) or nil
end

-- What tells a marker from every other one: its GUID, or in a REAPER that has none for markers, its name.
local function mark_of(index, name)
  local ok, guid = reaper.GetSetProjectInfo_String(0, "MARKER_GUID:" .. index, "", false)
  if ok and guid ~= "" then return guid end
  return "=" .. name:gsub(".", function(char) return string.format("%02x", char:byte()) end)
end

-- Calls `each` with the kind and number that REAPER shows, such as M3 or R1, and what else is known of every marker and region.
local function markers(each)
  local index = 0
  while true do
    local found, is_region, _, _, name, number = reaper.EnumProjectMarkers3(0, index)
    if found == 0 then return end
    each((is_region and "R" or "M") .. number, { index = index, is_region = is_region, number = number, name = name })
    index = index + 1
  end
end

-- What earlier runs made, newest first: number, note and mark of each.
local function remembered()
  local _, text = reaper.GetProjExtState(0, SECTION, MADE)
  local made = {}
  for shown, id, mark in (text or ""):gmatch("([MR]%d+)|([%w_]+)|([^;]*)") do
    made[#made + 1] = { shown = shown, id = id, mark = mark }
  end
  return made
end

-- Removes the markers that earlier runs made and that are still there. Returns their numbers by note.
local function remove(made)
  local is_ours = {}
  for _, entry in ipairs(made) do
    -- Another marker with the same name is not ours unless it has the same number.
    local is_named = entry.mark:sub(1, 1) == "="
    is_ours[is_named and entry.shown .. entry.mark or entry.mark] = entry.id
  end
  local found = {}
  markers(function(shown, marker)
    local mark = mark_of(marker.index, marker.name)
    marker.id = is_ours[mark] or is_ours[shown .. mark]
    if marker.id then found[#found + 1] = marker end
  end)
  local numbers = {}
  for _, marker in ipairs(found) do
    reaper.DeleteProjectMarker(0, marker.number, marker.is_region)
    numbers[(marker.is_region and "R" or "M") .. marker.id] = marker.number
  end
  return numbers
end

-- Adds the notes, each with the number that it had before where that is free. Returns what to remember of them.
local function add(notes, offset, numbers)
  local by_shown = {}
  for _, note in ipairs(notes) do
    local kind = note.stop and "R" or "M"
    local start, stop = offset + note.start, offset + (note.stop or note.start)
    local wanted = numbers[kind .. note.id] or -1
    local number = reaper.AddProjectMarker2(0, note.stop ~= nil, start, stop, note.name, wanted, 0)
    if number >= 0 then by_shown[kind .. number] = note.id end
  end
  local made = {}
  markers(function(shown, marker)
    local id = by_shown[shown]
    if id then made[#made + 1] = { shown = shown, id = id, mark = mark_of(marker.index, marker.name) } end
  end)
  return made
end

local function remember(made, earlier)
  local entries, is_there = {}, {}
  for _, list in ipairs({ made, earlier }) do
    for _, entry in ipairs(list) do
      local text = entry.shown .. "|" .. entry.id .. "|" .. entry.mark
      if not is_there[text] and #entries < MAX_REMEMBERED then
        is_there[text] = true
        entries[#entries + 1] = text
      end
    end
  end
  reaper.SetProjExtState(0, SECTION, MADE, table.concat(entries, ";"))
end

local track = track_of_project()
if not track then
  reaper.MB("Name the track in File > Project settings > Notes, with a line such as\n\ndubplate track: trk_019...", TITLE, 0)
  return
end
local program = setting("program", "Path of the program dubplate", "dubplate")
local url = program and setting("url", "Address of the server", "http://127.0.0.1:4747")
local key = url and setting("key", "API key", "")
if not key then return end

local notes, problem = fetch(program, track, url, key)
if not notes then
  reaper.MB(tostring(problem), TITLE, 0)
  return
end
local offset = render_start()
if not offset then return end

reaper.Undo_BeginBlock2(0)
local earlier = remembered()
local made = add(notes, offset, remove(earlier))
remember(made, earlier)
reaper.Undo_EndBlock2(0, TITLE, UNDO_MISC)
reaper.UpdateTimeline()
if #notes == 0 then reaper.MB("There are no open notes.", TITLE, 0) end
