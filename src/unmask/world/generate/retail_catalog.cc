#include "unmask/world/generate/retail_catalog.h"

#include <array>
#include <span>
#include <string_view>

namespace unmask::world::generated {
namespace {

using std::string_view;

constexpr std::array kColor = {string_view("moss"), string_view("slate"), string_view("coral"),
                               string_view("sand"), string_view("navy"),  string_view("plum")};
constexpr std::array kShade = {string_view("linen"), string_view("charcoal"), string_view("rust"),
                               string_view("sage"), string_view("indigo")};
constexpr std::array kSize = {string_view("XS"), string_view("S"), string_view("M"),
                              string_view("L"), string_view("XL")};
constexpr std::array kLength = {string_view("short"), string_view("regular"), string_view("long")};
constexpr std::array kCapacity = {string_view("20 l"), string_view("35 l"), string_view("50 l"),
                                  string_view("70 l")};
constexpr std::array kVolume = {string_view("0.4 l"), string_view("0.7 l"), string_view("1.2 l"),
                                string_view("2 l")};
constexpr std::array kMaterial = {string_view("aluminum"), string_view("steel"),
                                  string_view("bamboo"), string_view("oak")};
constexpr std::array kFabric = {string_view("cotton"), string_view("wool"), string_view("linen"),
                                string_view("fleece")};
constexpr std::array kFinish = {string_view("matte"), string_view("glossy"),
                                string_view("brushed")};
constexpr std::array kPower = {string_view("800 W"), string_view("1200 W"), string_view("1800 W")};
constexpr std::array kWidth = {string_view("60 cm"), string_view("90 cm"), string_view("120 cm"),
                               string_view("150 cm")};
constexpr std::array kDiameter = {string_view("18 cm"), string_view("22 cm"), string_view("26 cm"),
                                  string_view("30 cm")};
constexpr std::array kPieces = {string_view("4 pieces"), string_view("6 pieces"),
                                string_view("8 pieces"), string_view("12 pieces")};
constexpr std::array kGrip = {string_view("cork"), string_view("foam"), string_view("rubber")};
constexpr std::array kSeason = {string_view("summer"), string_view("three-season"),
                                string_view("winter")};
constexpr std::array kBrightness = {string_view("200 lumen"), string_view("400 lumen"),
                                    string_view("800 lumen")};
constexpr std::array kSupply = {string_view("battery"), string_view("USB"), string_view("mains")};
constexpr std::array kLock = {string_view("zipper"), string_view("buckle"),
                              string_view("roll top")};
constexpr std::array kWeight = {string_view("light"), string_view("medium"), string_view("heavy")};
constexpr std::array kPlayers = {string_view("2 players"), string_view("4 players"),
                                 string_view("6 players")};
constexpr std::array kTheme = {string_view("forest"), string_view("harbor"), string_view("comet"),
                               string_view("carnival")};
constexpr std::array kPorts = {string_view("4 ports"), string_view("7 ports"),
                               string_view("10 ports")};
constexpr std::array kResolution = {string_view("720p"), string_view("1080p"),
                                    string_view("1440p")};
constexpr std::array kMount = {string_view("clamp"), string_view("stand"), string_view("wall")};
constexpr std::array kBlade = {string_view("15 cm"), string_view("20 cm"), string_view("25 cm")};
constexpr std::array kScent = {string_view("cedar"), string_view("lemon"),
                               string_view("unscented")};
constexpr std::array kNib = {string_view("fine"), string_view("medium"), string_view("broad")};
constexpr std::array kPages = {string_view("80 pages"), string_view("120 pages"),
                               string_view("200 pages")};
constexpr std::array kStrings = {string_view("nylon"), string_view("carbon")};
constexpr std::array kAge = {string_view("puppy"), string_view("adult")};

constexpr std::array kByColorFabricWidth = {ProductOption{"color", kColor},
                                            ProductOption{"fabric", kFabric},
                                            ProductOption{"width", kWidth}};
constexpr std::array kByPowerSupplyFinish = {ProductOption{"power", kPower},
                                             ProductOption{"supply", kSupply},
                                             ProductOption{"finish", kFinish}};
constexpr std::array kBySeasonLengthShade = {ProductOption{"season", kSeason},
                                             ProductOption{"length", kLength},
                                             ProductOption{"shade", kShade}};
constexpr std::array kByBrightnessSupplyColor = {ProductOption{"brightness", kBrightness},
                                                 ProductOption{"supply", kSupply},
                                                 ProductOption{"color", kColor}};
constexpr std::array kByGripLengthMaterial = {ProductOption{"grip", kGrip},
                                              ProductOption{"length", kLength},
                                              ProductOption{"material", kMaterial}};
constexpr std::array kBySizeColorLock = {
    ProductOption{"size", kSize}, ProductOption{"color", kColor}, ProductOption{"lock", kLock}};
constexpr std::array kBySizeShadeWeight = {
    ProductOption{"size", kSize}, ProductOption{"shade", kShade}, ProductOption{"weight", kWeight}};
constexpr std::array kByFabricColor = {ProductOption{"fabric", kFabric},
                                       ProductOption{"color", kColor}};
constexpr std::array kBySizeGripColor = {ProductOption{"size", kSize}, ProductOption{"grip", kGrip},
                                         ProductOption{"color", kColor}};
constexpr std::array kByLengthShadeFinish = {ProductOption{"length", kLength},
                                             ProductOption{"shade", kShade},
                                             ProductOption{"finish", kFinish}};
constexpr std::array kByCapacityShadeLock = {ProductOption{"capacity", kCapacity},
                                             ProductOption{"shade", kShade},
                                             ProductOption{"lock", kLock}};
constexpr std::array kByCapacityColorLock = {ProductOption{"capacity", kCapacity},
                                             ProductOption{"color", kColor},
                                             ProductOption{"lock", kLock}};
constexpr std::array kByDiameterColorGrip = {ProductOption{"diameter", kDiameter},
                                             ProductOption{"color", kColor},
                                             ProductOption{"grip", kGrip}};
constexpr std::array kByFabricShadeWeight = {ProductOption{"fabric", kFabric},
                                             ProductOption{"shade", kShade},
                                             ProductOption{"weight", kWeight}};
constexpr std::array kByWidthFabricColor = {ProductOption{"width", kWidth},
                                            ProductOption{"fabric", kFabric},
                                            ProductOption{"color", kColor}};
constexpr std::array kByVolumeFinishColor = {ProductOption{"volume", kVolume},
                                             ProductOption{"finish", kFinish},
                                             ProductOption{"color", kColor}};
constexpr std::array kByVolumeMaterialColor = {ProductOption{"volume", kVolume},
                                               ProductOption{"material", kMaterial},
                                               ProductOption{"color", kColor}};
constexpr std::array kByDiameterMaterialFinish = {ProductOption{"diameter", kDiameter},
                                                  ProductOption{"material", kMaterial},
                                                  ProductOption{"finish", kFinish}};
constexpr std::array kByBladeMaterialGrip = {ProductOption{"blade", kBlade},
                                             ProductOption{"material", kMaterial},
                                             ProductOption{"grip", kGrip}};
constexpr std::array kByMaterialWidthFinish = {ProductOption{"material", kMaterial},
                                               ProductOption{"width", kWidth},
                                               ProductOption{"finish", kFinish}};
constexpr std::array kByPiecesMaterialColor = {ProductOption{"pieces", kPieces},
                                               ProductOption{"material", kMaterial},
                                               ProductOption{"color", kColor}};
constexpr std::array kByVolumePowerColor = {ProductOption{"volume", kVolume},
                                            ProductOption{"power", kPower},
                                            ProductOption{"color", kColor}};
constexpr std::array kByVolumePowerFinish = {ProductOption{"volume", kVolume},
                                             ProductOption{"power", kPower},
                                             ProductOption{"finish", kFinish}};
constexpr std::array kByPowerFinishColor = {ProductOption{"power", kPower},
                                            ProductOption{"finish", kFinish},
                                            ProductOption{"color", kColor}};
constexpr std::array kBySupplyFinishColor = {ProductOption{"supply", kSupply},
                                             ProductOption{"finish", kFinish},
                                             ProductOption{"color", kColor}};
constexpr std::array kByPiecesMaterialMount = {ProductOption{"pieces", kPieces},
                                               ProductOption{"material", kMaterial},
                                               ProductOption{"mount", kMount}};
constexpr std::array kByPiecesDiameterShade = {ProductOption{"pieces", kPieces},
                                               ProductOption{"diameter", kDiameter},
                                               ProductOption{"shade", kShade}};
constexpr std::array kByFabricWidthShade = {ProductOption{"fabric", kFabric},
                                            ProductOption{"width", kWidth},
                                            ProductOption{"shade", kShade}};
constexpr std::array kByFabricSizeColor = {
    ProductOption{"fabric", kFabric}, ProductOption{"size", kSize}, ProductOption{"color", kColor}};
constexpr std::array kByFabricWidthTheme = {ProductOption{"fabric", kFabric},
                                            ProductOption{"width", kWidth},
                                            ProductOption{"theme", kTheme}};
constexpr std::array kByBrightnessMaterialShade = {ProductOption{"brightness", kBrightness},
                                                   ProductOption{"material", kMaterial},
                                                   ProductOption{"shade", kShade}};
constexpr std::array kByBrightnessSupplyTheme = {ProductOption{"brightness", kBrightness},
                                                 ProductOption{"supply", kSupply},
                                                 ProductOption{"theme", kTheme}};
constexpr std::array kByWidthMaterialFinish = {ProductOption{"width", kWidth},
                                               ProductOption{"material", kMaterial},
                                               ProductOption{"finish", kFinish}};
constexpr std::array kByCapacityFabricShade = {ProductOption{"capacity", kCapacity},
                                               ProductOption{"fabric", kFabric},
                                               ProductOption{"shade", kShade}};
constexpr std::array kByMaterialColorWeight = {ProductOption{"material", kMaterial},
                                               ProductOption{"color", kColor},
                                               ProductOption{"weight", kWeight}};
constexpr std::array kByMountFinishWeight = {ProductOption{"mount", kMount},
                                             ProductOption{"finish", kFinish},
                                             ProductOption{"weight", kWeight}};
constexpr std::array kByResolutionMountFinish = {ProductOption{"resolution", kResolution},
                                                 ProductOption{"mount", kMount},
                                                 ProductOption{"finish", kFinish}};
constexpr std::array kByPortsSupplyFinish = {ProductOption{"ports", kPorts},
                                             ProductOption{"supply", kSupply},
                                             ProductOption{"finish", kFinish}};
constexpr std::array kByDiameterSupplyColor = {ProductOption{"diameter", kDiameter},
                                               ProductOption{"supply", kSupply},
                                               ProductOption{"color", kColor}};
constexpr std::array kByPowerGripColor = {
    ProductOption{"power", kPower}, ProductOption{"grip", kGrip}, ProductOption{"color", kColor}};
constexpr std::array kByCapacityMaterialColor = {ProductOption{"capacity", kCapacity},
                                                 ProductOption{"material", kMaterial},
                                                 ProductOption{"color", kColor}};
constexpr std::array kByVolumeMaterialMount = {ProductOption{"volume", kVolume},
                                               ProductOption{"material", kMaterial},
                                               ProductOption{"mount", kMount}};
constexpr std::array kByLengthGripColor = {
    ProductOption{"length", kLength}, ProductOption{"grip", kGrip}, ProductOption{"color", kColor}};
constexpr std::array kByThemeShadeWeight = {ProductOption{"theme", kTheme},
                                            ProductOption{"shade", kShade},
                                            ProductOption{"weight", kWeight}};
constexpr std::array kByStringsFinishShade = {ProductOption{"strings", kStrings},
                                              ProductOption{"finish", kFinish},
                                              ProductOption{"shade", kShade}};
constexpr std::array kByMaterialWeightFinish = {ProductOption{"material", kMaterial},
                                                ProductOption{"weight", kWeight},
                                                ProductOption{"finish", kFinish}};
constexpr std::array kByWeightGripColor = {
    ProductOption{"weight", kWeight}, ProductOption{"grip", kGrip}, ProductOption{"color", kColor}};
constexpr std::array kBySizeColorGrip = {
    ProductOption{"size", kSize}, ProductOption{"color", kColor}, ProductOption{"grip", kGrip}};
constexpr std::array kByWeightPiecesColor = {ProductOption{"weight", kWeight},
                                             ProductOption{"pieces", kPieces},
                                             ProductOption{"color", kColor}};
constexpr std::array kByLengthWeightColor = {ProductOption{"length", kLength},
                                             ProductOption{"weight", kWeight},
                                             ProductOption{"color", kColor}};
constexpr std::array kByPlayersGripColor = {ProductOption{"players", kPlayers},
                                            ProductOption{"grip", kGrip},
                                            ProductOption{"color", kColor}};
constexpr std::array kByPlayersTheme = {ProductOption{"players", kPlayers},
                                        ProductOption{"theme", kTheme}};
constexpr std::array kByPagesWidthShade = {
    ProductOption{"pages", kPages}, ProductOption{"width", kWidth}, ProductOption{"shade", kShade}};
constexpr std::array kByPiecesThemeWeight = {ProductOption{"pieces", kPieces},
                                             ProductOption{"theme", kTheme},
                                             ProductOption{"weight", kWeight}};
constexpr std::array kByNibFinishColor = {
    ProductOption{"nib", kNib}, ProductOption{"finish", kFinish}, ProductOption{"color", kColor}};
constexpr std::array kByScentWeightShade = {ProductOption{"scent", kScent},
                                            ProductOption{"weight", kWeight},
                                            ProductOption{"shade", kShade}};
constexpr std::array kBySizeAgeFabric = {ProductOption{"size", kSize}, ProductOption{"age", kAge},
                                         ProductOption{"fabric", kFabric}};

constexpr std::array kKinds = {
    ProductKind{"Hammock", kByColorFabricWidth, 45, 110},
    ProductKind{"Camping Stove", kByPowerSupplyFinish, 40, 120},
    ProductKind{"Sleeping Bag", kBySeasonLengthShade, 70, 220},
    ProductKind{"Headlamp", kByBrightnessSupplyColor, 18, 60},
    ProductKind{"Trekking Poles", kByGripLengthMaterial, 35, 120},
    ProductKind{"Rain Jacket", kBySizeColorLock, 55, 160},
    ProductKind{"Wool Socks", kBySizeShadeWeight, 9, 24},
    ProductKind{"Beanie", kByFabricColor, 12, 35},
    ProductKind{"Work Gloves", kBySizeGripColor, 10, 32},
    ProductKind{"Leather Belt", kByLengthShadeFinish, 22, 70},
    ProductKind{"Canvas Tote", kByCapacityShadeLock, 18, 55},
    ProductKind{"Messenger Bag", kByCapacityColorLock, 48, 140},
    ProductKind{"Storm Umbrella", kByDiameterColorGrip, 19, 60},
    ProductKind{"Travel Pillow", kByFabricShadeWeight, 14, 45},
    ProductKind{"Picnic Blanket", kByWidthFabricColor, 24, 75},
    ProductKind{"Cooler Box", kByCapacityColorLock, 35, 150},
    ProductKind{"Thermos Flask", kByVolumeFinishColor, 18, 52},
    ProductKind{"Lunch Box", kByVolumeMaterialColor, 12, 38},
    ProductKind{"Frying Pan", kByDiameterMaterialFinish, 25, 95},
    ProductKind{"Stock Pot", kByDiameterMaterialFinish, 38, 130},
    ProductKind{"Chef's Knife", kByBladeMaterialGrip, 30, 160},
    ProductKind{"Cutting Board", kByMaterialWidthFinish, 18, 70},
    ProductKind{"Mixing Bowls", kByPiecesMaterialColor, 22, 66},
    ProductKind{"Rice Cooker", kByVolumePowerColor, 35, 130},
    ProductKind{"Stand Blender", kByVolumePowerFinish, 45, 190},
    ProductKind{"Toaster", kByPowerFinishColor, 28, 95},
    ProductKind{"Kitchen Scale", kBySupplyFinishColor, 15, 48},
    ProductKind{"Spice Rack", kByPiecesMaterialMount, 20, 62},
    ProductKind{"Dinner Plates", kByPiecesDiameterShade, 30, 110},
    ProductKind{"Throw Blanket", kByFabricWidthShade, 28, 90},
    ProductKind{"Duvet Cover", kByFabricWidthShade, 40, 130},
    ProductKind{"Bath Towel", kByFabricSizeColor, 12, 42},
    ProductKind{"Area Rug", kByFabricWidthTheme, 60, 280},
    ProductKind{"Floor Lamp", kByBrightnessMaterialShade, 45, 180},
    ProductKind{"Night Light", kByBrightnessSupplyTheme, 9, 32},
    ProductKind{"Picture Frame", kByWidthMaterialFinish, 12, 58},
    ProductKind{"Wall Shelf", kByWidthMaterialFinish, 26, 115},
    ProductKind{"Storage Basket", kByCapacityFabricShade, 14, 48},
    ProductKind{"Folding Chair", kByMaterialColorWeight, 24, 88},
    ProductKind{"Standing Desk", kByWidthMaterialFinish, 190, 520},
    ProductKind{"Monitor Arm", kByMountFinishWeight, 38, 140},
    ProductKind{"Webcam", kByResolutionMountFinish, 32, 130},
    ProductKind{"USB Hub", kByPortsSupplyFinish, 16, 62},
    ProductKind{"Desk Fan", kByDiameterSupplyColor, 19, 64},
    ProductKind{"Cordless Drill", kByPowerGripColor, 60, 210},
    ProductKind{"Tool Box", kByCapacityMaterialColor, 24, 98},
    ProductKind{"Plant Pot", kByDiameterMaterialFinish, 10, 46},
    ProductKind{"Watering Can", kByVolumeMaterialColor, 14, 44},
    ProductKind{"Bird Feeder", kByVolumeMaterialMount, 15, 52},
    ProductKind{"Dog Leash", kByLengthGripColor, 11, 36},
    ProductKind{"Cat Tree", kByThemeShadeWeight, 48, 160},
    ProductKind{"Soprano Ukulele", kByStringsFinishShade, 48, 170},
    ProductKind{"Music Stand", kByMaterialWeightFinish, 22, 74},
    ProductKind{"Kick Scooter", kByWeightGripColor, 55, 170},
    ProductKind{"Roller Skates", kBySizeColorGrip, 50, 145},
    ProductKind{"Resistance Bands", kByWeightPiecesColor, 12, 40},
    ProductKind{"Foam Roller", kByLengthWeightColor, 15, 48},
    ProductKind{"Badminton Set", kByPlayersGripColor, 26, 84},
    ProductKind{"Strategy Board Game", kByPlayersTheme, 24, 78},
    ProductKind{"Sketchbook", kByPagesWidthShade, 8, 30},
    ProductKind{"Watercolor Set", kByPiecesThemeWeight, 16, 70},
    ProductKind{"Fountain Pen", kByNibFinishColor, 20, 120},
    ProductKind{"Scented Candle", kByScentWeightShade, 9, 36},
    ProductKind{"Dog Coat", kBySizeAgeFabric, 18, 58},
};

}  // namespace

std::span<const ProductKind> product_kinds() { return kKinds; }

}  // namespace unmask::world::generated
