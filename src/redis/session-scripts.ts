import { RedisScript } from './redis-script.js';

/**
 * An endpoint's sessions in Redis: a hash for each, `<index>:<id>`, that expires by itself, and an index of their ids, sorted by
 * when they expire. The time is that of Redis: the clocks of instances may differ.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keep(key, id, ttl)
  redis.call('PEXPIRE', key, ttl)
  redis.call('ZADD', KEYS[1], now + ttl, id)
  if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
end
`;

/** How many sessions one step forgets at the most, so that no script holds Redis up. */
export const FORGOTTEN_AT_ONCE = 100;

/** Keys: index. Arguments: id, principal, revision, capabilities, time to live, max. @returns the ids that went for it */
export const OPEN = new RedisScript(`${NOW}
local id, ttl, max = ARGV[1], tonumber(ARGV[5]), tonumber(ARGV[6])
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ${FORGOTTEN_AT_ONCE})
local over = math.min(redis.call('ZCARD', KEYS[1]) - #gone + 1 - max, ${FORGOTTEN_AT_ONCE})
if over > 0 then gone = redis.call('ZRANGE', KEYS[1], 0, #gone + over - 1) end
for _, one in ipairs(gone) do
  redis.call('DEL', KEYS[1] .. ':' .. one)
  redis.call('ZREM', KEYS[1], one)
end
local key = KEYS[1] .. ':' .. id
redis.call('HSET', key, 'principal', ARGV[2], 'revision', ARGV[3], 'capabilities', ARGV[4], 'initialized', '0')
keep(key, id, ttl)
return gone
`);

/**
 * Keys: index, session. Arguments: id, principal, revision or '', time to live, idle timeout, change or ''.
 * @returns revision, capabilities and initialized as they were; nil when there is no such session
 */
export const TOUCH = new RedisScript(`${NOW}
local id, ttl, idle, change = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local session = redis.call('HMGET', KEYS[2], 'principal', 'revision', 'capabilities', 'initialized')
if not session[1] or session[1] ~= ARGV[2] then return nil end
local may = ARGV[3] == '' or ARGV[3] == session[2]
if change == 'ended' and may then
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[1], id)
else
  if change == 'initialized' and may and session[4] ~= '1' then redis.call('HSET', KEYS[2], 'initialized', '1') end
  if redis.call('PTTL', KEYS[2]) < idle then keep(KEYS[2], id, ttl) end
end
return { session[2], session[3], session[4] }
`);

/** Keys: index. @returns the ids of sessions that have expired since */
export const SWEEP = new RedisScript(`${NOW}
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ${FORGOTTEN_AT_ONCE})
if #gone > 0 then redis.call('ZREM', KEYS[1], unpack(gone)) end
return gone
`);
