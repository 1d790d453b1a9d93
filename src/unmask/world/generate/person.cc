#include "unmask/world/generate/person.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "unmask/world/generate/pick.h"

namespace unmask::world::generated {
namespace {

constexpr std::array<std::string_view, 48> kFirstNames = {
    "Alba",   "Arlo",    "Brisa", "Bruno", "Calla",  "Cosmo",  "Dara",   "Dario",
    "Edda",   "Elio",    "Fenna", "Finlo", "Gaia",   "Gideon", "Hattie", "Hugo",
    "Ilka",   "Ivo",     "Juno",  "Jarek", "Kaia",   "Kester", "Lumi",   "Lorcan",
    "Maren",  "Milo",    "Nerys", "Nico",  "Oona",   "Otis",   "Pippa",  "Piran",
    "Quilla", "Quentin", "Runa",  "Rufus", "Saskia", "Silvan", "Tamsin", "Tobin",
    "Una",    "Ulric",   "Vesna", "Viggo", "Willa",  "Wendel", "Yara",   "Zeno"};

constexpr std::array<std::string_view, 56> kLastNames = {
    "Applewhisk", "Ashfeather",  "Barleymoor",  "Bellweather", "Birdwhistle", "Brambleton",
    "Buttonwood", "Candlewick",  "Cloudberry",  "Copperpot",   "Cragmere",    "Dandelow",
    "Driftwood",  "Dustingham",  "Elderquist",  "Emberly",     "Fallowfield", "Featherstep",
    "Fernsby",    "Foxglove",    "Gingerly",    "Glimmerhold", "Goosander",   "Hazelgrave",
    "Honeycroft", "Inkpen",      "Ivorytoe",    "Juniperry",   "Kettleburn",  "Larkspurr",
    "Lanternby",  "Maplethorpe", "Merrywinter", "Mossgrove",   "Nettlecombe", "Nimbleton",
    "Oatmere",    "Otterbourne", "Peppercorn",  "Pondlily",    "Quickbeam",   "Quillfeather",
    "Rainsworth", "Rookwillow",  "Saltmarch",   "Snowdrip",    "Tanglewood",  "Thistlewick",
    "Tumbledown", "Umberfield",  "Vinterhalm",  "Wagtail",     "Whistledown", "Willowmere",
    "Wrenfield",  "Yarrowby"};

constexpr std::array<std::string_view, 28> kStreets = {
    "Marzipan Row",  "Tin Whistle Lane", "Lantern Street", "Gooseberry Road", "Kite Hill",
    "Old Ferry Way", "Pudding Court",    "Snail Creek",    "Umbrella Avenue", "Clockmaker Yard",
    "Bramble Walk",  "Seven Geese Road", "Feather Street", "Mill Pond Lane",  "Paper Boat Drive",
    "Acorn Terrace", "Blue Door Street", "Hedgehog Path",  "Velvet Avenue",   "Whale Bone Road",
    "Copper Bend",   "Muffin Square",    "Juniper Steps",  "Orchard Loop",    "Windfall Street",
    "Rope Walk",     "Teacup Crescent",  "North Star Way"};

constexpr std::array<std::string_view, 24> kCities = {
    "Fernhollow",  "Port Ambery",  "Lower Quill",    "Saltwick",    "Harrowmere",
    "New Thimble", "Gullsborough", "Pinecaster",     "East Marrow", "Brightwell Falls",
    "Owlham",      "Stonebridle",  "Cinderford Bay", "Maple Rift",  "Dunmallow",
    "Tarnsey",     "Quarrytown",   "West Pebble",    "Lake Orrin",  "Foxley Gap",
    "Sandspur",    "Copperdale",   "Mossbank",       "Windle Point"};

constexpr std::array<std::string_view, 20> kStates = {"AZ", "CO", "GA", "ID", "IA", "KS", "ME",
                                                      "MI", "MN", "MT", "NE", "NM", "NV", "OH",
                                                      "OR", "PA", "UT", "VT", "WI", "WY"};

}  // namespace

Name draw_name(Rng& rng) {
  Name name;
  name.first = pick(rng, kFirstNames);
  name.last = pick(rng, kLastNames);
  return name;
}

PostalAddress draw_address(Rng& rng) {
  PostalAddress address;
  address.street = std::to_string(1 + rng.below(989)) + " ";
  address.street += pick(rng, kStreets);
  address.unit = (rng.bernoulli(0.5) ? "Suite " : "Apt ") + std::to_string(100 + rng.below(900));
  address.city = pick(rng, kCities);
  address.state = pick(rng, kStates);
  address.zip = draw_digits(rng, 5);
  return address;
}

std::string draw_digits(Rng& rng, unsigned count) {
  std::string digits(1, static_cast<char>('1' + rng.below(9)));
  while (digits.size() < count) digits += static_cast<char>('0' + rng.below(10));
  return digits;
}

std::string draw_phone_number(Rng& rng) {
  std::string number = std::to_string(200 + rng.below(800)) + "-555-01";
  number += static_cast<char>('0' + rng.below(10));
  number += static_cast<char>('0' + rng.below(10));
  return number;
}

std::string letters_of(const std::string& text) {
  std::string letters;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

std::string address_text(const PostalAddress& address) {
  return address.street + ", " + address.unit + ", " + address.city + ", " + address.state + " " +
         address.zip;
}

}  // namespace unmask::world::generated
