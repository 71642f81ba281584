"""Made, once, the containers of a made-up garden book in two schemas, and what fastavro 1.13.1 reads of them.

    python3 make.py         (pip install fastavro backports.zstd)

garden.avro is written with the schema of 1.avsc; garden.as-2.json is what fastavro reads of it with the schema of
2.avsc, in which every change is that resolution allows. shed.avro is written with 4.avsc, the newer one, and
shed.as-3.json is what a reader of 3.avsc makes of it. The files are never made again: the tests hold the code
to them.
"""

import json
import pathlib

import fastavro

HERE = pathlib.Path(__file__).parent
MARKER = bytes(range(0x30, 0x40))

garden_1 = {
    "type": "record", "name": "garden.Visit", "fields": [
        {"name": "day", "type": {"type": "int", "logicalType": "garden-day"}},
        {"name": "weather", "type": {"type": "enum", "name": "Weather", "symbols": ["sun", "rain", "hail"]}},
        {"name": "note", "type": ["null", "string"]},
        {"name": "height", "type": "float"},
        {"name": "steps", "type": "int"},
        {"name": "seconds", "type": "long"},
        {"name": "tools", "type": {"type": "array", "items": "string"}},
        {"name": "tag", "type": "string"},
        {"name": "raw", "type": "bytes"},
        {"name": "gate", "type": "boolean"},
        {"name": "bed", "type": {"type": "fixed", "name": "Bed", "size": 2}},
        {"name": "done", "type": [
            {"type": "record", "name": "Planted", "fields": [
                {"name": "plant", "type": "string"}, {"name": "count", "type": "int"}]},
            {"type": "record", "name": "Watered", "fields": [
                {"name": "litres", "type": "int"}, {"name": "tank", "type": "string"}]}]},
        {"name": "rows", "type": {"type": "map", "values": {"type": "array", "items": "int"}}},
        {"name": "before", "type": ["null", "Visit"]},
        {"name": "rating", "type": ["null", "int"]},
        {"name": "mood", "type": "string"},
    ]}

garden_2 = {
    "type": "record", "name": "garden.Outing", "aliases": ["Visit"], "fields": [
        # A new branch, a renamed record, a record with a new field, one with a field less, and a wider one.
        {"name": "done", "type": [
            "null",
            {"type": "record", "name": "Sown", "aliases": ["garden.Planted"], "fields": [
                {"name": "count", "type": "long"}, {"name": "plant", "type": "string"},
                {"name": "by", "type": "string", "default": "me"}]},
            {"type": "record", "name": "Watered", "fields": [{"name": "litres", "type": "double"}]},
            {"type": "record", "name": "Pruned", "fields": []}]},
        {"name": "day", "type": "long"},
        # A new symbol in the middle, one that is gone and has a default.
        {"name": "weather", "type": {
            "type": "enum", "name": "Weather", "symbols": ["rain", "snow", "sun"], "default": "snow"}},
        {"name": "remark", "type": ["null", "string"], "aliases": ["text", "note"], "default": None},
        {"name": "height", "type": "double"},
        {"name": "steps", "type": "float"},
        {"name": "seconds", "type": "double"},
        {"name": "tag", "type": "bytes"},
        {"name": "raw", "type": "string"},
        {"name": "gate", "type": ["null", "boolean"]},
        {"name": "place", "type": {"type": "fixed", "name": "Place", "aliases": ["Bed"], "size": 2},
         "aliases": ["bed"]},
        {"name": "rows", "type": {"type": "map", "values": {"type": "array", "items": "long"}}},
        {"name": "before", "type": ["null", "Outing"]},
        {"name": "rating", "type": "int"},
        {"name": "effort", "type": "int", "default": 3},
        {"name": "where", "type": {"type": "record", "name": "Where", "fields": [
            {"name": "x", "type": "int"}, {"name": "y", "type": ["null", "int"]}]},
         "default": {"x": -1, "y": None}},
        {"name": "photos", "type": {"type": "array", "items": "string"}, "default": []},
        {"name": "mood", "type": "string"},
    ]}

shed_3 = {
    "type": "record", "name": "Tool", "fields": [
        {"name": "name", "type": "string"},
        {"name": "state", "type": {
            "type": "enum", "name": "State", "symbols": ["good", "worn", "unknown"], "default": "unknown"}},
        {"name": "what", "type": ["null", {"type": "record", "name": "Lent", "fields": [
            {"name": "to", "type": "string"}]}]},
    ]}

shed_4 = {
    "type": "record", "name": "Tool", "fields": [
        {"name": "bought", "type": "long", "default": 0},
        {"name": "name", "type": "string"},
        {"name": "state", "type": {
            "type": "enum", "name": "State", "symbols": ["good", "worn", "unknown", "rusty"],
            "default": "unknown"}},
        {"name": "what", "type": ["null", {"type": "record", "name": "Lent", "fields": [
            {"name": "until", "type": ["null", "int"], "default": None}, {"name": "to", "type": "string"}]},
            {"type": "record", "name": "Sold", "fields": [{"name": "price", "type": "int"}]}]},
        {"name": "labels", "type": {"type": "map", "values": "string"}, "default": {}},
    ]}


def visit(number, before=None):
    done = [("garden.Planted", {"plant": "béan", "count": 40 * number}),
            ("garden.Watered", {"litres": number - 2, "tank": "rain"})]
    return {
        "day": 20_000 + number, "weather": ["sun", "rain", "hail"][number % 3],
        "note": None if number % 2 else f"visit {number}", "height": number + 0.5, "steps": 100 * number,
        "seconds": 3600 * number, "tools": ["fork"] * number, "tag": f"t{number}", "raw": b"r\x00w",
        "gate": number % 2 == 0, "bed": bytes([number, 255]), "done": done[number % 2],
        "rows": {"north": [number, -number], "south": []}, "before": before, "rating": number, "mood": "calm"}


def tool(number, what=None):
    return {
        "bought": 1_700_000_000 + number, "name": f"tool {number}",
        "state": ["good", "worn", "unknown", "rusty"][number % 4], "what": what, "labels": {"shelf": str(number)}}


def plain(value, schema, names):
    """A value as Daybook shows it in JSON: if several types are possible, the value states its own."""
    if isinstance(schema, str) and schema in names:
        schema = names[schema]
    if isinstance(schema, dict):
        names.setdefault(schema.get("name"), schema)
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(schema, list):
        name, content = value if isinstance(value, tuple) else (None, value)
        if content is None:
            return None
        records = [branch for branch in schema if isinstance(branch, dict) and branch.get("name") == name]
        if len(schema) == 2 and "null" in schema:
            inner = next(branch for branch in schema if branch != "null")
            return plain(content, inner, names)
        return {name: plain(content, records[0], names)}
    if kind == "record":
        return {field["name"]: plain(value[field["name"]], field["type"], names) for field in schema["fields"]}
    if kind == "array":
        return [plain(item, schema["items"], names) for item in value]
    if kind == "map":
        return {key: plain(item, schema["values"], names) for key, item in value.items()}
    return value.decode("latin-1") if isinstance(value, bytes) else value


def make(name, writer, reader, values, codecs):
    writer = fastavro.parse_schema(writer)
    reader = fastavro.parse_schema(reader)
    for codec in codecs:
        path = HERE / (f"{name}.avro" if codec == "zstandard" else f"{name}-{codec}.avro")
        with path.open("wb") as file:
            fastavro.writer(file, writer, values, codec=codec, sync_marker=MARKER, sync_interval=200)
        with path.open("rb") as file:
            read = list(fastavro.reader(file, reader_schema=reader, return_record_name=True))
    lines = [json.dumps(plain(value, reader, {}), ensure_ascii=False) for value in read]
    return "".join(line + "\n" for line in lines)


def main():
    for number, schema in enumerate((garden_1, garden_2, shed_3, shed_4), 1):
        (HERE / f"{number}.avsc").write_text(json.dumps(schema, indent=1) + "\n", "utf-8")
    visits = [visit(number) for number in range(4)] + [visit(4, visit(5, visit(6)))]
    (HERE / "garden.as-2.json").write_text(make("garden", garden_1, garden_2, visits, ["zstandard", "null"]), "utf-8")
    lent = ("Lent", {"until": 7, "to": "Ben"})
    tools = [tool(0), tool(1, lent), tool(2), tool(3, lent)]
    (HERE / "shed.as-3.json").write_text(make("shed", shed_4, shed_3, tools, ["zstandard"]), "utf-8")


if __name__ == "__main__":
    main()
