#!/bin/sh
# Makes sure that OpenCV can be loaded: `scripts/system_libraries.sh PYTHON`, called by scripts/setup.sh.
#
# opencv-python brings all it needs but a few libraries of a desktop (libGL, libxcb, GLib), which servers and
# containers lack. They are installed where this may be done without asking, as root with apt-get; elsewhere this says
# what to run. Where nothing is missing, nothing is asked of the network.
set -eu
python=$1

say() { echo "inklane: $*" >&2; }

trial() {  # prints the last line of what went wrong
    if said=$("$python" -c 'import cv2' 2>&1); then return 0; fi
    echo "$said" | tail -n 1
    return 1
}

missing_libraries() {  # ERROR: names like libGL.so.1, all of them where ldd can tell, else the one in the error
    folder=$("$python" -c 'import importlib.util as u; print(u.find_spec("cv2").submodule_search_locations[0])' \
        2>/dev/null || true)
    {
        [ -z "$folder" ] || ldd "$folder"/*.so 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p'
        echo "$1" | sed -n 's/.*ImportError: \(lib[^ :]*\.so[^ :]*\): cannot open.*/\1/p'
    } | sort -u
}

debian_package() {  # LIBRARY
    case $1 in
        libGL.so.1) echo libgl1 ;;
        libEGL.so.1) echo libegl1 ;;
        libglib-2.0.so.0 | libgthread-2.0.so.0 | libgobject-2.0.so.0) echo libglib2.0-0 ;;
        libxcb.so.1) echo libxcb1 ;;
        libX11.so.6) echo libx11-6 ;;
        libXext.so.6) echo libxext6 ;;
        libXrender.so.1) echo libxrender1 ;;
        libSM.so.6) echo libsm6 ;;
        libICE.so.6) echo libice6 ;;
        libfontconfig.so.1) echo libfontconfig1 ;;
        libfreetype.so.6) echo libfreetype6 ;;
    esac
}

apt_install() {  # PACKAGE...; first with the lists that are here
    set -- -qq -y -o Acquire::Retries=1 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=60 \
        --no-install-recommends install "$@"
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    apt-get "$@" >/dev/null 2>&1 || { apt-get -qq update >/dev/null 2>&1 && apt-get "$@" >/dev/null; }
}

error=$(trial) && exit 0
libraries=$(missing_libraries "$error")
packages=$(for library in $libraries; do debian_package "$library"; done | sort -u | tr '\n' ' ')
packages=${packages% }
if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "OpenCV needs $packages; installing with apt-get"
    # shellcheck disable=SC2086  # several packages
    if apt_install $packages && error=$(trial); then exit 0; fi
    libraries=$(missing_libraries "$error")
fi
if [ -z "$libraries" ]; then
    say "OpenCV does not load: $error"
    say "Remove .venv and run make again; if that does not help, the line above says what is wrong."
    exit 1
fi
say "OpenCV does not load, because libraries of the system are missing:" $libraries
[ -z "$packages" ] || say "Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y $packages"
rpm=$(for library in $libraries; do printf " '%s()(64bit)'" "$library"; done)
say "Fedora, RHEL:    sudo dnf install -y$rpm"
say "Then run make again."
exit 1
