-- For wrk: walks through the addresses that addresses.py wrote, from another
-- place in each thread.
local addresses = {}
for line in io.lines(os.getenv("ADDRESSES") or "addresses.txt") do
  addresses[#addresses + 1] = line
end
math.randomseed(os.time())
local at = math.random(#addresses)

request = function()
  at = at % #addresses + 1
  return wrk.format("GET", addresses[at])
end
