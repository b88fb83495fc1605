"""FENs that several test files share."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ODD = "7K/8/8/8/pP5q/8/8/k6R b Q b3 513 65535"

# Nothing readable may be unrepresentable.
UNUSUAL = {
    "start": START,
    "odd": ODD,
    "empty board": "8/8/8/8/8/8/8/8 w - - 0 1",
    "64 queens": "/".join(["QQQQQQQQ"] * 8) + " b - - 0 1",
    "33 men": "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "no king": "8/8/8/3r4/8/4N3/8/8 b - - 12 34",
    "nine kings": "kkkkk3/8/8/8/8/8/8/KKKK4 w - - 0 1",
    "pawns on back ranks": "pPpPpPpP/8/8/8/8/8/8/PpPpPpPp b - - 0 1",
    "rights without rooks": "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "rights by file without rooks": "4k3/8/8/8/8/8/8/4K3 w GBgb - 0 1",
    "ep square of the own side": "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
    "ep square on the first rank": "4k3/8/8/8/8/8/8/4K3 b - a1 0 1",
    "ep square on the last rank": "4k3/8/8/8/8/8/8/4K3 w - h8 0 1",
    "occupied ep square": "4k3/8/4n3/8/8/8/8/4K3 w - e6 0 1",
    "largest counters": "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535",
    "fullmove 0": "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
}

# Ordinary texts to be made wrong, each written with other features.
FENS = {
    "start": START,
    "en passant": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "middlegame": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "endgame": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34",
    "four fields": "4k3/8/8/8/8/8/8/4K3 w - -",
    "by file": "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4",
}
