-- What wrk asks a server for: wrk -s bench_load.lua URL -- log|home PEOPLE KEY DAY
--
-- PEOPLE has a line for each person: an access token, then the keys of their habits. Requests are put together once,
-- so that making the load costs little beside what it measures; answers other than 200 are counted.

local requests = {}

local function head(method, target, key, token)
  return method .. " " .. target .. " HTTP/1.1\r\nHost: bench\r\napikey: " .. key ..
    "\r\nAuthorization: Bearer " .. token .. "\r\n"
end

function init(args)
  local kind, people, key, day = args[1], args[2], args[3], args[4]
  math.randomseed(os.time())
  for line in io.lines(people) do
    local token, habits = nil, {}
    for word in line:gmatch("%S+") do
      if token then habits[#habits + 1] = word else token = word end
    end
    if kind == "log" then
      for _, habit in ipairs(habits) do
        for value = 1, 5 do
          local body = '{"p_habit_id":"' .. habit .. '","p_value":' .. value .. '}'
          requests[#requests + 1] = head("POST", "/p/habithive/rest/v1/rpc/log_habit", key, token) ..
            "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
        end
      end
    else
      requests[#requests + 1] = head("GET",
        "/p/habithive/rest/v1/habits?select=*,habit_logs(*)&habit_logs.log_date=eq." .. day, key, token) .. "\r\n"
      requests[#requests + 1] = head("GET",
        "/p/habithive/rest/v1/hives?select=*,hive_members(count)", key, token) .. "\r\n"
    end
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d}\n', summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
