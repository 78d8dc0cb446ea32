-- Lua 5.4 as scenarios have it: what is not here is not there at all (see mockpsp/lua/luasafe.h).
std = {
    read_globals = {
        "assert", "error", "ipairs", "next", "pairs", "pcall", "print", "select", "tonumber",
        "tostring", "type", "_VERSION",
        string = { fields = { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower",
            "match", "rep", "reverse", "sub", "upper" } },
        table = { fields = { "concat", "insert", "move", "pack", "remove", "sort", "unpack" } },
        math = { fields = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor",
            "fmod", "huge", "log", "max", "maxinteger", "mininteger", "min", "modf", "pi", "rad",
            "random", "sin", "sqrt", "tan", "tointeger", "type", "ult" } },
        utf8 = { fields = { "char", "charpattern", "codepoint", "codes", "len", "offset" } },
    },
}
max_line_length = 100

-- The words of a scenario: mockpsp/script/prelude.lua.
files["scenarios/"] = {
    read_globals = {
        "scenario", "client", "http", "sh", "sqlite", "require", "history", "now",
        "pass", "delay", "respond", "drop", "reset", "hang", "late", "truncate",
        "dribble", "bandwidth", "cut_header", "broken_chunk", "broken_json", "proxy_error",
        "refuse", "advance", "duplicate", "stale", "garbage", "early", "decline", "processing",
        "crash_psp", "crash_client", "pause_client", "stop_client", "lose", "reorder",
        "forge",
        "storm", "uniform", "normal", "lognormal", "pareto", "samples", "ramp", "square", "sine",
    },
}

-- What claim_query.lua finds in a client file.
files["harness/client/"] = { read_globals = { "sh", "sqlite" } }
